/*
 * matching.h - stations of a set and relays, one to one along the topology's links.
 *
 * Relays join one by one; each joins if all that joined before can keep a station of the set. Sets
 * of relays that can join are the independent sets of a matroid, so whoever joins in the order of
 * preference makes the best set there is.
 */
#ifndef HAGG_PLANNER_MATCHING_H
#define HAGG_PLANNER_MATCHING_H

#include <stdbool.h>

#include "planner/instance.h"

struct matching {
    const struct topology *t;
    uint32_t *starts, *stations; /* of relay r: stations[starts[r - 1]] .. before starts[r] */
    const uint64_t *set;
    const uint32_t *bound; /* by station: its only relay, 0: any; NULL: any for all */
    uint32_t *relay_of;    /* by station; 0: none */
    uint32_t *station_of;  /* by relay; 0: has not joined */
    uint32_t n;            /* relays that joined */
    uint32_t *joined;      /* in this order */
    uint32_t *queue, *before, *seen, mark;
};

/* For a topology with relays. */
int matching_new(struct matching *m, const struct topology *t, struct hagg_err *err);

void matching_free(struct matching *m);

/* Forgets all, and is about this set of stations from now on. */
void matching_start(struct matching *m, const uint64_t *set);

/* Whether the relay has joined, with a station of the set for everyone. */
bool matching_join(struct matching *m, uint32_t relay);

/* When no relay can join any more: stations of the set that have fewer relays than they are many,
 * in bits of the set short, and the number of these relays. False when every station has one. */
bool matching_shortage(struct matching *m, uint64_t *crowd, uint32_t *n_relays);

#endif
