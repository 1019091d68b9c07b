/*
 * side.h - the choice for one side, the sharings of padded vectors or those of keys: the pattern of
 * each client, and the relays of each pattern.
 */
#ifndef HAGG_PLANNER_SIDE_H
#define HAGG_PLANNER_SIDE_H

#include "planner/relays/relaying.h"

struct side {
    size_t n_patterns;
    uint64_t *patterns;      /* sets of stations */
    uint32_t *of;            /* the pattern of each client, in the topology's order */
    struct relayed *relayed; /* of each pattern; NULL in a topology without relays */
    bool one_set;            /* input of side_relay: use one set of relays for all patterns */
};

/* Copies patterns and of, which has an entry for each client. */
int side_new(struct side *side, const struct instance *in, const uint64_t *patterns,
             size_t n_patterns, const uint32_t *of, struct hagg_err *err);

/* Matches every pattern with relays. If a pattern cannot be matched with enough relays, its clients
 * use their whole reach instead. HAGG_E_PRIVACY if that is not enough for a client either; the
 * message names the client and the reason. */
int side_relay(struct side *side, const struct plan *p, const struct instance *in, struct effort *e,
               struct hagg_err *err);

void side_free(struct side *side);

#endif
