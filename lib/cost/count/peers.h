/*
 * peers.h - the costs of other protocols for private sums, for comparison. hagg-cost(1) has the
 * formulas and their sources.
 */
#ifndef HAGG_COST_PEERS_H
#define HAGG_COST_PEERS_H

#include "cost/count/sheet.h"

/* n_colluding clients may collude with the server and n_missing may drop out. */
struct peer_setting {
    uint64_t n_clients, n_colluding, n_missing;
    /* Stations, each with the same number of clients that use no other one; 0 if the clients cannot
     * be spread like this, or if stations may be missing. */
    uint64_t n_clusters;
    uint64_t length;   /* 0: unknown */
    size_t elem_bytes; /* of a symbol */
};

struct peer {
    const char *name;
    /* "users": needs links that a network of stations does not have; "one node": uses the links of
     * the network, and is private against any one station and against the federator, but not if
     * nodes or clients collude. Then what it needs besides links: ", key dealer" for keys that a
     * trusted dealer hands out before the round, or ", pairwise keys" for keys that every two
     * clients have agreed on. */
    const char *against;
    bool has_links; /* false: only the total is known */
    bool has_draws; /* true if the source states the size of all keys */
    /* Adds what is sent, drawn and dealt; false if the protocol does not exist for these numbers.
     * If !has_links, the total is set instead of the links. */
    bool (*cost)(struct sheet *sheet, const struct peer_setting *s);
};

extern const struct peer peers[];
extern const size_t n_peers;

/* peers_keys.c: protocols with keys that are handed out before the round. */
bool peers_zhao_sun(struct sheet *sheet, const struct peer_setting *s);
bool peers_zhao_sun_pairs(struct sheet *sheet, const struct peer_setting *s);
bool peers_zhao_sun_drop(struct sheet *sheet, const struct peer_setting *s);
bool peers_hsa_common(struct sheet *sheet, const struct peer_setting *s);
bool peers_hsa_pairs(struct sheet *sheet, const struct peer_setting *s);

#endif
