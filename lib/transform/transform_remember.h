/*
 * transform_remember.h - enters the sums that a node transforms into the state.
 */
#ifndef HAGG_TRANSFORM_REMEMBER_H
#define HAGG_TRANSFORM_REMEMBER_H

#include "header.h"
#include "state/state.h"

/* Claims that the node transforms the sum with this header. number is that of the node, or 0 for
 * the holder in the header. HAGG_E_PRIVACY if it has transformed the same sum with other records.
 * Call state_commit before anything is written. */
int transform_remember(struct state *s, const struct header *h, uint32_t number,
                       struct hagg_err *err);

#endif
