/*
 * refine.h - the search for cheap sets with protocol aligned, for a given number of segments and
 * given dealers.
 *
 * A client with v parts sends 1 + hidden / v times its vector, so large v are good for it. But its
 * blocks cut the sums of its stations, and every row of a sum costs. Rows that other clients have
 * cut already cost nothing more. So the search removes classes and inserts them again, each where
 * its own cost and that of new rows are lowest.
 */
#ifndef HAGG_PLANNER_REFINE_H
#define HAGG_PLANNER_REFINE_H

#include "planner/aligned/selection.h"
#include "planner/effort.h"

struct refine;

/* Starts with the selection, which it changes, and with its n_segments, masks and ranked stations.
 * NULL on failure. */
struct refine *refine_new(struct selection *s, struct hagg_err *err);

/* r may be NULL. */
void refine_free(struct refine *r);

/* Visits about n_steps stations, and reports as many units of progress. noise, in multiples of the
 * vector, is how much dearer a choice may be at the beginning; 0 only improves. The selection that
 * results may be worse and has to be settled. */
void refine_run(struct refine *r, uint64_t n_steps, double noise, struct effort *effort);

#endif
