/*
 * dive.h - derives a cover from the bound: opens and closes patterns as the credits suggest, the
 * clearest cases first, and adapts the credits after each step.
 */
#ifndef HAGG_PLANNER_DIVE_H
#define HAGG_PLANNER_DIVE_H

#include "planner/cover/relax.h"

/* *b keeps the best cover on the way; a ends with the last one. Stops after about this much work.
 * The credits are first perturbed at random, by at most the fraction `spread`, so that repeated
 * dives find different covers. */
int dive(struct credit *c, struct cover_best *b, struct assignment *a, struct effort *e,
         double spread, uint64_t work, struct hagg_err *err);

#endif
