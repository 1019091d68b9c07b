/*
 * unprotected.h - what sums cost when nobody minds who sees the vectors.
 */
#ifndef HAGG_COST_UNPROTECTED_H
#define HAGG_COST_UNPROTECTED_H

#include "cost/count/sheet.h"

/* Each client sends its vector to one station, and each station that got one sends the sum on,
 * through relays if there are any. Few stations, and few relays, that together reach everybody are
 * found greedily, so a few less might do. */
int unprotected_of_plan(struct sheet *sheet, const struct plan *p, uint64_t length,
                        struct hagg_err *err);

/* The same when one station, and one relay, may do. */
void unprotected_least(struct sheet *sheet, const struct plan *p, uint64_t length);

#endif
