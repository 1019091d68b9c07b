/*
 * summary.h - what a plan achieves, in words.
 */
#ifndef HAGG_PLANNER_SUMMARY_H
#define HAGG_PLANNER_SUMMARY_H

#include "planner/planner.h"
#include "base/text.h"

/* Lines without a newline at the end of the last one: cost, against all stations that clients
 * reach, against what any protocol must send, how sure it is that nothing is cheaper (result may be
 * NULL: nothing was searched), under full collusion how many clients may collude, and how many more
 * bits of quantised values would cost nothing. */
int summary_print(const struct plan *p, const struct planner_result *result,
                  enum collusion_condition condition, struct text *text, struct hagg_err *err);

#endif
