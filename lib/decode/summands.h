/*
 * summands.h - the total of protocol aligned from summands of relays, and from the sums of stations
 * that relays passed on: docs/aligned.md.
 */
#ifndef HAGG_DECODE_SUMMANDS_H
#define HAGG_DECODE_SUMMANDS_H

#include "decode/decode_state.h"

/* Returns true if the piece has summands. They are after the sums. */
bool summands_has(const struct piece *p);

/* Checks that every station from which the total is decoded is in exactly one summand or sum.
 * HAGG_E_TOO_FEW names one that is missing. The piece has summands. */
int summands_check(const struct decode *d, const struct piece *p, struct hagg_err *err);

/* Adds the summands, and what the sums add to them, to the total. */
int summands_decode(struct decode *d, struct piece *p, const struct pattern_tools *tools,
                    struct hagg_err *err);

#endif
