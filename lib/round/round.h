/*
 * round.h - a complete round of a plan as plain commands, layer by layer.
 *
 * Every node has its own directory below DIRECTORY/round-NUMBER, and everything sent to a node is a
 * file in its directory:
 *
 *     client-I/key.cbor            the client's key
 *     station-U/client-I.cbor      shares, and the key or a share of it
 *     station-U/mask-W.cbor        the mask of dealer W, with protocol aligned
 *     station-U/keys.cbor          the keys of stations before, along the chain
 *     station-U/sum.cbor           the station's sums, where it transforms them
 *     relay-M/from-station-U.cbor  sums or transfers
 *     relay-M/keys.cbor            the total of the keys
 *     relay-M/shares.cbor          the relay's shares, made from transfers
 *     federator/report-station-U.cbor  the clients that are complete at the station
 *     roster.cbor                  the clients of the round, for all nodes
 *     federator/from-NODE.cbor     sums
 *     federator/keys.cbor          the total of the keys
 *     federator/total.npy          the result, unless it is to be elsewhere
 */
#ifndef HAGG_ROUND_ROUND_H
#define HAGG_ROUND_ROUND_H

#include "round/deliveries.h"
#include "round/step.h"

#define ROUND_MAX_LAYERS 11
#define ROUND_CLEANING   3

/* File names are passed to the commands as they are; in vectors and samples "{}" is replaced by the
 * number of the client. NULL or 0: not given. */
struct round_options {
    const struct plan *plan;
    const char *plan_path;
    uint64_t number;
    uint64_t length;     /* of the vectors; 0: that of the plan, or of the first vector */
    const char *vectors; /* files */
    const char *samples; /* files with the number of samples, for a plan with samples */
    const char *directory;
    const char *result;
    const char *type, *format; /* of the vectors */
    const char *state;         /* directory for the commands; NULL for the default one */
    bool clip, mean, unsafe_plan;
    struct protocol_presence presence; /* missing: stations and relays that are not available */
};

struct round {
    const struct round_options *options;
    char *base; /* DIRECTORY/round-NUMBER */
    char *result;
    struct step_layer folder; /* one step that makes the directory that must exist first */
    struct step_layer layers[ROUND_MAX_LAYERS]; /* in this order; none is empty */
    size_t n_layers;
    struct step_layer cleaning[ROUND_CLEANING]; /* remove keys and shares, after the last layer */
    bool needs[ROUND_MAX_LAYERS][ROUND_MAX_LAYERS]; /* [a][b]: layer a reads an output of layer b */
};

/* The options must outlive the round. HAGG_E_USAGE for names that cannot be passed to a command. */
int round_new(struct round *r, const struct round_options *options, struct hagg_err *err);

void round_free(struct round *r);

#endif
