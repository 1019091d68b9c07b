/*
 * aggregate_aligned.h - the sums of stations with protocol aligned: docs/aligned.md.
 */
#ifndef HAGG_AGGREGATE_ALIGNED_H
#define HAGG_AGGREGATE_ALIGNED_H

#include "aggregate/aggregate_state.h"

/* Adds up all shares and masks of a station, interval by interval, and writes one sum; if no
 * station is given, one for each station that records are addressed to. The contract is that of
 * aggregate_write. */
int aggregate_write_aligned(struct aggregate *a, struct outfiles *out, struct hagg_err *err);

#endif
