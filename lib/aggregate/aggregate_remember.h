/*
 * aggregate_remember.h - enters the sums of a node into the state before they are sent.
 */
#ifndef HAGG_AGGREGATE_REMEMBER_H
#define HAGG_AGGREGATE_REMEMBER_H

#include "aggregate/aggregate_state.h"

/* Makes an entry for each sum that is not skipped and belongs to a plan. HAGG_E_PRIVACY if the node
 * has sent a sum of other clients, or of other records of the same clients, in this round. */
int aggregate_remember(const struct aggregate *a, struct hagg_err *err);

#endif
