/*
 * meeting.h - stations that have relays in common: what all clients share over such stations can be
 * added up at these relays.
 *
 * A set of relays is worth a look if it is what some stations have in common; any other has
 * stations that reach more. So the sets are the meets of what stations reach.
 */
#ifndef HAGG_PLANNER_MEETING_H
#define HAGG_PLANNER_MEETING_H

#include "planner/instance.h"

struct meeting {
    const struct plan *p;
    const struct instance *all;
    uint64_t *relays; /* n sets */
    size_t n, next, n_words;
    bool one_size;      /* the next one is as the one before, with sharings of one size only */
    struct instance in; /* what clients may choose from, once there is a next one */
};

/* The plan and the instance must outlive it. */
int meeting_begin(struct meeting *m, const struct plan *p, const struct instance *all,
                  struct hagg_err *err);

/* Puts into m->in what is left of all when only stations may be used that reach the relays of the
 * next set; and then, if sharings would differ in size, what is left when all have the most
 * stations that everybody has. Sets with which a client has too few are passed over. Returns 1, or
 * 0 when there is no set more. */
int meeting_next(struct meeting *m, struct hagg_err *err);

/* Leaves of the stations those that reach all relays of one of the sets: the most that any leaves.
 */
int meeting_restrict(const struct meeting *m, uint64_t *stations, struct hagg_err *err);

void meeting_free(struct meeting *m);

#endif
