/*
 * round.h - a complete round of a plan as plain commands, layer by layer.
 *
 * Every node has its own directory below DIRECTORY/round-NUMBER with three directories in it: in
 * has the files that others sent to the node, out those that it sends, and private those that it
 * keeps. A node writes only to its own directory, except that it carries files from its out to the
 * in of others. Only its own files, in out and private, show what it has done.
 *
 *     client-I/private/key.cbor         the client's key
 *     client-I/out/station-U.cbor       shares, and the key or a share of it
 *     station-U/in/client-I.cbor        the same
 *     station-W/out/client-I-station-U.cbor  what station W passes on as the courier of client I
 *     station-U/in/client-I-via-W.cbor  the same
 *     station-W/out/mask-U.cbor         the mask of dealer W for station U, with protocol aligned
 *     station-U/in/mask-W.cbor          the same
 *     station-U/in/keys.cbor            the keys of stations before, along the chain
 *     station-U/in/roster.cbor          the clients of the round
 *     station-U/private/sum.cbor        the station's sums, where it transforms them
 *     station-U/out/report.cbor         the clients that are complete at the station
 *     station-U/out/sum.cbor            sums for the federator
 *     station-U/out/relay-M.cbor        sums or transfers
 *     station-U/out/keys-NODE.cbor      keys, for the next node of the chain
 *     relay-M/in/from-station-U.cbor    sums or transfers
 *     relay-M/in/keys.cbor              the total of the keys
 *     relay-M/in/roster.cbor            the clients of the round
 *     relay-M/private/shares.cbor       the relay's shares, made from transfers
 *     relay-M/out/sum.cbor              sums
 *     federator/in/report-station-U.cbor  the clients that are complete at the station
 *     federator/in/from-NODE.cbor       sums
 *     federator/in/keys.cbor            the total of the keys
 *     federator/out/roster.cbor         the clients of the round, for all nodes
 *     federator/total.npy               the result, unless it is to be elsewhere
 *     batch-B/private/key.cbor          with batches, instead of client-I: the keys of the batch
 *     batch-B/out/station-U.cbor        the shares, and the keys or shares of them, of the batch
 *     station-U/in/batch-B.cbor         the same
 *     NODE/DIR/WHAT-without-3-r1.cbor   sums, transfers and shares if station 3 and relay 1 are
 *                                       missing, and the scheme has prefixes; with any scheme,
 *                                       transfers
 *     NODE/out/WHAT.sent                empty: the node has sent shares, report, roster, sums, keys
 *                                       or, as the courier of client I, client-I
 */
#ifndef HAGG_ROUND_ROUND_H
#define HAGG_ROUND_ROUND_H

#include "round/options.h"
#include "round/step.h"

#define ROUND_MAX_LAYERS 24
#define ROUND_CLEANING   4

/* The default of the settings CARRY and INBOX. install removes a copy that is there, so it does not
 * follow links, and with -T it does not write into a directory. */
#define ROUND_CARRY "install -m 0600 -T"
#define ROUND_INBOX "0700"

struct round {
    const struct round_options *options;
    char *base; /* DIRECTORY/round-NUMBER */
    char *result;
    char *roster;             /* in a node's part: its copy of the roster; otherwise NULL */
    struct step_layer folder; /* one step that makes the directory of the round, first of all */
    struct step_layer layers[ROUND_MAX_LAYERS]; /* in this order; none is empty */
    size_t n_layers;
    struct step_layer cleaning[ROUND_CLEANING]; /* remove keys and shares, after the last layer */
    bool needs[ROUND_MAX_LAYERS][ROUND_MAX_LAYERS]; /* [a][b]: layer a reads an output of layer b */
    const char **awaited; /* in a node's part: files that none of its steps makes, sorted */
    size_t n_awaited;
};

/* The options must outlive the round. HAGG_E_USAGE for names that cannot be passed to a command. */
int round_new(struct round *r, const struct round_options *options, struct hagg_err *err);

void round_free(struct round *r);

#endif
