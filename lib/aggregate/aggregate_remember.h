/*
 * aggregate_remember.h - enters the sums of a node into the state before they are sent.
 */
#ifndef HAGG_AGGREGATE_REMEMBER_H
#define HAGG_AGGREGATE_REMEMBER_H

#include "aggregate/aggregate_state.h"

/* HAGG_E_PRIVACY if the node has sent a sum of other clients, or of other records of the same
 * clients, in this round. */
int aggregate_check_state(const struct aggregate *a, struct hagg_err *err);

/* Makes an entry for each sum that belongs to a plan; for a skipped one, only of its clients. A
 * gate of outfiles, whose argument is the struct aggregate. */
int aggregate_remember(void *aggregate, struct hagg_err *err);

#endif
