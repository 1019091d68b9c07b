/*
 * idle.h - stations whose sums are zero and are not sent: protocol_is_idle.
 */
#ifndef HAGG_DECODE_IDLE_H
#define HAGG_DECODE_IDLE_H

#include "decode/decode_state.h"

/* To be called when the clients of the total are known, before the functions below. */
int idle_prepare(struct decode *d, struct hagg_err *err);

/* Returns true if the sum of this station, which is in use, need not arrive. */
bool idle_is(const struct decode *d, uint32_t station);

/* Adds the sums of all idle stations that did not arrive to a piece without summands. */
int idle_add(struct decode *d, struct piece *p, struct hagg_err *err);

#endif
