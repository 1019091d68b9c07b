/*
 * aggregate_complete.h - checks that the sums of an aggregation are complete.
 */
#ifndef HAGG_AGGREGATE_COMPLETE_H
#define HAGG_AGGREGATE_COMPLETE_H

#include "aggregate/aggregate_state.h"

/* Every sum of shares that is sent must have exactly the agreed clients that share over its
 * stations: the clients of the options, or all clients of the plan. A smaller sum beside complete
 * ones would reveal a share of a client, and privacy is checked for the agreed set only.
 * HAGG_E_TOO_FEW names a client that is missing; with skip_incomplete the sum is marked as skipped
 * instead. HAGG_E_PRIVACY if there are too few clients, or if the sets are not private for them and
 * unsafe_plan is not set. Without a plan there is nothing to check. round is that of the plan, for
 * the clients of the options. */
int aggregate_check_complete(struct aggregate *a, const struct protocol *round,
                             struct hagg_err *err);

/* Called if there is nothing to add up: HAGG_E_TOO_FEW if by the plan a record should have arrived,
 * or if without a plan no input has a record. */
int aggregate_check_nothing(const struct aggregate *a, struct hagg_err *err);

#endif
