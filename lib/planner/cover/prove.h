/*
 * prove.h - that a cover is the cheapest, or the one that is: branch and bound.
 */
#ifndef HAGG_PLANNER_PROVE_H
#define HAGG_PLANNER_PROVE_H

#include "planner/cover/cover_best.h"
#include "planner/cover/credit.h"

/* Lists every pattern that a cheaper cover than the best could use, and tries their combinations,
 * as far as the bounds leave any. True when there is none cheaper than the best, which it may have
 * replaced; false when so much work was not enough to say. a is for use meanwhile. */
bool prove(struct credit *c, struct cover_best *b, struct assignment *a, struct effort *e,
           uint64_t work);

#endif
