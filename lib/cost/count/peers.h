/*
 * peers.h - what other protocols for private sums send, for comparison; hagg-cost(1) has the
 * formulas and where they come from.
 */
#ifndef HAGG_COST_PEERS_H
#define HAGG_COST_PEERS_H

#include "cost/count/sheet.h"

/* For n clients of whom so many may collude with the server, and so many drop out. They have links
 * of their own between clients, which a network of stations has not. */
struct peer_setting {
    uint64_t n_clients, n_colluding, n_missing;
    uint64_t length;   /* 0: not known */
    size_t elem_bytes; /* of a symbol */
};

struct peer {
    const char *name;
    /* What is sent altogether; false when the protocol does not exist for so many. */
    bool (*cost)(struct sheet_line *line, const struct peer_setting *s);
};

extern const struct peer peers[];
extern const size_t n_peers;

#endif
