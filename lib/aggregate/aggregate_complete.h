/*
 * aggregate_complete.h - checks that the sums of an aggregation are complete.
 */
#ifndef HAGG_AGGREGATE_COMPLETE_H
#define HAGG_AGGREGATE_COMPLETE_H

#include "aggregate/aggregate_state.h"

/* Under full collusion privacy is checked for all clients of the plan, or for the clients of the
 * options, and for no other set. So every sum that is sent must have all of these clients that
 * share over its stations. HAGG_E_TOO_FEW names a client that is missing; with skip_incomplete the
 * sum is marked as skipped instead. HAGG_E_PRIVACY if there are too few clients, or if the sets are
 * not private for them and unsafe_plan is not set. Without a plan or under partial collusion there
 * is nothing to check. round is that of the plan, for the clients of the options. */
int aggregate_check_complete(struct aggregate *a, const struct protocol *round,
                             struct hagg_err *err);

/* Called if there is nothing to add up: HAGG_E_TOO_FEW if by the plan a record should have arrived,
 * or if without a plan no input has a record. */
int aggregate_check_nothing(const struct aggregate *a, struct hagg_err *err);

#endif
