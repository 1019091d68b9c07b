/*
 * aggregate_complete.h - whether the sums of an aggregation are those that the plan means.
 */
#ifndef HAGG_AGGREGATE_COMPLETE_H
#define HAGG_AGGREGATE_COMPLETE_H

#include "aggregate/aggregate_state.h"

/* Full collusion: the plan is private for all its clients together, or for the survivors together,
 * and for no others. So every sum that leaves must hold all of them that
 * share over its stations. HAGG_E_TOO_FEW names a client that has not come, or the sum is marked as
 * skipped if the options say so; HAGG_E_PRIVACY when the survivors are too few, or when their graph
 * is not private and the options do not say that this is known. Nothing to check without a plan or
 * under partial collusion; round is the plan's, for the clients that the options name. */
int aggregate_check_complete(struct aggregate *a, const struct protocol *round,
                             struct hagg_err *err);

/* When no record came that was asked for: HAGG_E_TOO_FEW if by the plan one should have. */
int aggregate_check_nothing(const struct aggregate *a, struct hagg_err *err);

#endif
