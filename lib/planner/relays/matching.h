/*
 * matching.h - matches stations of a set with relays, one to one along the topology's links.
 *
 * Relays join one by one. A relay can join if all relays that joined before can still be matched.
 * The sets of relays that can join are the independent sets of a matroid, so offering the relays in
 * order of preference gives the best set.
 */
#ifndef HAGG_PLANNER_MATCHING_H
#define HAGG_PLANNER_MATCHING_H

#include <stdbool.h>

#include "planner/instance.h"

struct matching {
    const struct topology *t;
    uint32_t *starts,
        *stations; /* stations of relay r: from stations[starts[r - 1]] to before starts[r] */
    const uint64_t *set;
    const uint32_t *bound; /* by station: the only relay allowed, 0: any; NULL: any for all */
    uint32_t *relay_of;    /* by station; 0: none */
    uint32_t *station_of;  /* by relay; 0: not joined */
    uint32_t n;            /* number of relays that joined */
    uint32_t *joined;      /* the relays, in the order of joining */
    uint32_t *queue, *before, *seen, mark;
};

/* t has relays and must outlive m. */
int matching_new(struct matching *m, const struct topology *t, struct hagg_err *err);

void matching_free(struct matching *m);

/* Starts an empty matching for this set of stations, which must stay valid while m uses it. */
void matching_start(struct matching *m, const uint64_t *set);

/* Joins the relay and returns true if all joined relays can then be matched; otherwise changes
 * nothing. */
bool matching_join(struct matching *m, uint32_t relay);

/* To be called when no further relay can join. Finds stations of the set that together reach fewer
 * relays than there are stations: sets *crowd to them and *n_relays to the number of these relays.
 * False if every station is matched. */
bool matching_shortage(struct matching *m, uint64_t *crowd, uint32_t *n_relays);

#endif
