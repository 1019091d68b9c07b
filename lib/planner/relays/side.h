/*
 * side.h - what was chosen for one kind of sharing, that of vectors or that of keys: a pattern for
 * each client, and how its shares go on.
 */
#ifndef HAGG_PLANNER_SIDE_H
#define HAGG_PLANNER_SIDE_H

#include "planner/relays/relaying.h"

struct side {
    size_t n_patterns;
    uint64_t *patterns;      /* sets of stations */
    uint32_t *of;            /* the pattern of each client, in the topology's order */
    struct relayed *relayed; /* of each pattern, with relays; NULL without */
    bool one_set;            /* side_relay: of relays, for all patterns */
};

/* Copies what was chosen; of has an entry for each client. */
int side_new(struct side *side, const struct instance *in, const uint64_t *patterns,
             size_t n_patterns, const uint32_t *of, struct hagg_err *err);

/* Matches every pattern with relays. Clients of one that cannot be matched with enough use all
 * stations they reach; HAGG_E_PRIVACY names a client for whom these are not enough either, and why.
 */
int side_relay(struct side *side, const struct plan *p, const struct instance *in, struct effort *e,
               struct hagg_err *err);

void side_free(struct side *side);

#endif
