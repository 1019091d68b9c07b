/*
 * summary.h - prints the cost and the privacy of a plan.
 */
#ifndef HAGG_PLANNER_SUMMARY_H
#define HAGG_PLANNER_SUMMARY_H

#include "planner/planner.h"
#include "base/text.h"

/* Appends these lines, without a final newline: a table of what was tried, if there was more than
 * one attempt; the cost; with protocol keys the cost over all stations that clients reach; lower
 * bounds of any protocol; whether a cheaper choice is possible; the number of clients that may
 * collude; with protocol aligned a note if there are many segments and no length; and how many more
 * bits of quantised values would cost nothing. result is NULL if nothing was chosen. */
int summary_print(const struct plan *p, const struct planner_result *result,
                  enum collusion_condition condition, struct text *text, struct hagg_err *err);

#endif
