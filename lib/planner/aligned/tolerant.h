/*
 * tolerant.h - the planner for topologies that promise something about more colluding stations than
 * learn nothing: clients use all stations that they reach, and only the number of segments is
 * chosen.
 */
#ifndef HAGG_PLANNER_TOLERANT_H
#define HAGG_PLANNER_TOLERANT_H

#include "planner/planner.h"

/* As aligned_sets_choose. */
int tolerant_choose(struct plan *p, struct planner_certainty *certainty, struct hagg_err *err);

#endif
