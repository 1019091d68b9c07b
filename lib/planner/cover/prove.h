/*
 * prove.h - branch and bound: proves that a cover is the cheapest, or finds the cheapest.
 */
#ifndef HAGG_PLANNER_PROVE_H
#define HAGG_PLANNER_PROVE_H

#include "planner/cover/cover_best.h"
#include "planner/cover/credit.h"

/* Lists every pattern that a cover cheaper than *b could use, and tries their combinations unless a
 * bound excludes them. True if no cover is cheaper than *b, which may have been replaced; false if
 * this much work was not enough to decide. The open patterns of a are changed. */
bool prove(struct credit *c, struct cover_best *b, struct assignment *a, struct effort *e,
           uint64_t work);

#endif
