/*
 * peers.h - the costs of other protocols for private sums, for comparison. hagg-cost(1) has the
 * formulas and their sources.
 */
#ifndef HAGG_COST_PEERS_H
#define HAGG_COST_PEERS_H

#include "cost/count/sheet.h"

/* n_colluding clients may collude with the server and n_missing may drop out. These protocols use
 * links between clients, which a network of stations does not have. */
struct peer_setting {
    uint64_t n_clients, n_colluding, n_missing;
    uint64_t length;   /* 0: unknown */
    size_t elem_bytes; /* of a symbol */
};

struct peer {
    const char *name;
    /* The total sent; false if the protocol does not exist for these numbers. */
    bool (*cost)(struct sheet_line *line, const struct peer_setting *s);
};

extern const struct peer peers[];
extern const size_t n_peers;

#endif
