/*
 * aggregate_relay.h - what relays send with protocol aligned: docs/aligned.md.
 */
#ifndef HAGG_AGGREGATE_RELAY_H
#define HAGG_AGGREGATE_RELAY_H

#include "aggregate/aggregate_state.h"

/* Returns true for the sum of a station on its way through a relay. */
bool aggregate_relay_has(const struct aggregate_sum *g);

/* Writes what each relay sends to the federator: one summand instead of all sums that it received,
 * if that is shorter, or else the sums unchanged. HAGG_E_MISMATCH if the sums of a relay do not
 * belong together. */
int aggregate_relay_write(struct aggregate *a, struct outfiles *out, struct hagg_err *err);

/* Claims the clients of the sums for the state. */
int aggregate_relay_claim(const struct aggregate *a, struct hagg_err *err);

#endif
