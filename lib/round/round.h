/*
 * round.h - a whole round of a plan as plain commands, layer by layer.
 *
 * Every node has a directory of its own below DIRECTORY/round-NUMBER, and what is sent to a node is
 * a file in its directory:
 *
 *     client-I/key.cbor            the client's key
 *     station-U/client-I.cbor      shares, and the key or a share of it
 *     station-U/keys.cbor          the keys of stations before, along the chain
 *     station-U/sum.cbor           the station's sums, where it transforms them
 *     relay-M/from-station-U.cbor  sums or transfers
 *     relay-M/keys.cbor            the total of the keys
 *     relay-M/shares.cbor          the relay's shares, made from transfers
 *     federator/from-NODE.cbor     sums
 *     federator/keys.cbor          the total of the keys
 *     federator/total.npy          the result, unless it is to be elsewhere
 */
#ifndef HAGG_ROUND_ROUND_H
#define HAGG_ROUND_ROUND_H

#include "round/deliveries.h"
#include "round/step.h"

#define ROUND_MAX_LAYERS 8

/* Names are as the commands will see them; in vectors and samples "{}" stands for the number of the
 * client. NULL and 0 for what is not said. */
struct round_options {
    const struct plan *plan;
    const char *plan_path;
    uint64_t number;
    uint64_t length;     /* of the vectors; as the first of them if nobody says it */
    const char *vectors; /* files */
    const char *samples; /* files that hold the number of samples, in a plan with samples */
    const char *directory;
    const char *result;
    const char *type, *format; /* of the vectors */
    bool clip, mean, unsafe_plan;
    struct protocol_presence presence; /* out: stations and relays to do without */
};

struct round {
    const struct round_options *options;
    char *base; /* DIRECTORY/round-NUMBER */
    char *result;
    struct step_layer folder; /* one step that makes what must be there before the others */
    struct step_layer layers[ROUND_MAX_LAYERS]; /* in this order; none is empty */
    size_t n_layers;
    bool needs[ROUND_MAX_LAYERS][ROUND_MAX_LAYERS]; /* [a][b]: a reads what b writes */
};

/* The options must outlive the round. HAGG_E_USAGE for names that no command could be given. */
int round_new(struct round *r, const struct round_options *options, struct hagg_err *err);

void round_free(struct round *r);

#endif
