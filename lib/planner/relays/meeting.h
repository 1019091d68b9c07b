/*
 * meeting.h - enumerates sets of relays and the stations that reach all of them. If all clients
 * share over such stations, all shares can be added up at these relays.
 *
 * Only sets that are exactly the common relays of some stations are needed: for any other set, the
 * stations that reach all of it have more relays in common. So the sets are the intersections of
 * the relay sets of the stations.
 */
#ifndef HAGG_PLANNER_MEETING_H
#define HAGG_PLANNER_MEETING_H

#include "planner/instance.h"

struct meeting {
    const struct plan *p;
    const struct instance *all;
    uint64_t *relays; /* n sets of relays */
    size_t n, next, n_words;
    bool one_size;      /* the next result is for the same relays, with sharings of one size only */
    struct instance in; /* the result of meeting_next: the restricted choice of the clients */
};

/* The plan and the instance must outlive it. */
int meeting_begin(struct meeting *m, const struct plan *p, const struct instance *all,
                  struct hagg_err *err);

/* Sets m->in to the instance restricted to the stations that reach all relays of the next set. If
 * sharings could then differ in size, the next call restricts the same instance to sharings of the
 * largest size that is possible for every client. Skips sets with which a client has too few
 * stations. Returns 1, 0 if there are no more sets, or -1 on error. */
int meeting_next(struct meeting *m, struct hagg_err *err);

/* Restricts *stations to those that reach all relays of one of the sets, the set that keeps most of
 * them. */
int meeting_restrict(const struct meeting *m, uint64_t *stations, struct hagg_err *err);

/* Sets *relays to those of set i that its cheapest sharing uses, *rate to what its shares cost, and
 * *fee to what the relays send of a sum. */
void meeting_cheapest(const struct meeting *m, size_t i, uint64_t *relays, double *rate,
                      double *fee);

/* Sets *stations to those that reach all these relays. */
void meeting_stations(const struct meeting *m, const uint64_t *relays, uint64_t *stations);

void meeting_free(struct meeting *m);

#endif
