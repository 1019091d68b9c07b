/*
 * summary_parts.h - what a scheme with prefixes saves, and what it costs if nodes fail.
 */
#ifndef HAGG_PLANNER_SUMMARY_PARTS_H
#define HAGG_PLANNER_SUMMARY_PARTS_H

#include "cost/count/plan_cost.h"

/* Appends two lines, each after a newline, if shares are sent in part when all nodes take part: the
 * cost of the same sets with scheme ramp, and the cost of the worst case. cost is that of p. */
int summary_parts_print(const struct plan *p, const struct plan_cost *cost, struct text *text,
                        struct hagg_err *err);

#endif
