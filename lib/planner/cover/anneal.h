/*
 * anneal.h - cheaper covers by small changes: simulated annealing over the open patterns.
 */
#ifndef HAGG_PLANNER_ANNEAL_H
#define HAGG_PLANNER_ANNEAL_H

#include "planner/cover/cover_best.h"
#include "planner/cover/credit.h"
#include "planner/effort.h"

/* One run of so much work (reachers.h) from what is open; keeps the best. heat: how much dearer,
 * in parts of the smallest fee, it becomes at first without much ado. c: NULL, or what is known of
 * patterns that good covers use. */
int anneal(struct assignment *a, struct cover_best *b, const struct credit *c, struct effort *e,
           double heat, uint64_t work, struct hagg_err *err);

#endif
