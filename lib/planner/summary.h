/*
 * summary.h - prints the cost and the privacy of a plan.
 */
#ifndef HAGG_PLANNER_SUMMARY_H
#define HAGG_PLANNER_SUMMARY_H

#include "planner/planner.h"
#include "base/text.h"

/* Appends these lines, without a final newline: the cost; the cost over all stations that clients
 * reach; the lower bound of any protocol; whether a cheaper choice is possible, unless result is
 * NULL because nothing was searched; under full collusion the number of clients that may collude;
 * and how many more bits of quantised values would cost nothing. */
int summary_print(const struct plan *p, const struct planner_result *result,
                  enum collusion_condition condition, struct text *text, struct hagg_err *err);

#endif
