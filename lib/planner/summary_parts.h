/*
 * summary_parts.h - what is saved while no station or relay is missing: by a scheme with prefixes,
 * and by stand-by sums; and what a round costs if nodes fail.
 */
#ifndef HAGG_PLANNER_SUMMARY_PARTS_H
#define HAGG_PLANNER_SUMMARY_PARTS_H

#include "cost/count/plan_cost.h"

/* Appends lines, each after a newline. Two if shares are sent in part when all nodes take part: the
 * cost of the same sets with scheme ramp, and the cost of the worst case. One if sums may stand by:
 * what this saves. cost is that of p. */
int summary_parts_print(const struct plan *p, const struct plan_cost *cost, struct text *text,
                        struct hagg_err *err);

#endif
