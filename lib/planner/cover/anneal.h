/*
 * anneal.h - improves a cover by simulated annealing over the open patterns.
 */
#ifndef HAGG_PLANNER_ANNEAL_H
#define HAGG_PLANNER_ANNEAL_H

#include "planner/cover/cover_best.h"
#include "planner/cover/credit.h"
#include "planner/effort.h"

/* One run from the patterns that are open in a, for this much work (reachers.h); *b keeps the best
 * cover. heat is the initial temperature as a fraction of the smallest fee. c may be NULL;
 * otherwise its credits suggest patterns that good covers use. */
int anneal(struct assignment *a, struct cover_best *b, const struct credit *c, struct effort *e,
           double heat, uint64_t work, struct hagg_err *err);

#endif
