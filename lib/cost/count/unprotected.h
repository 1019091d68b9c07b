/*
 * unprotected.h - the cost of the sum without any privacy, for comparison.
 */
#ifndef HAGG_COST_UNPROTECTED_H
#define HAGG_COST_UNPROTECTED_H

#include "cost/count/sheet.h"

/* Each client sends its vector to one station, and each of these stations passes on one sum,
 * through relays if there are any. The stations and relays are chosen greedily, so fewer might be
 * enough. */
int unprotected_of_plan(struct sheet *sheet, const struct plan *p, uint64_t length,
                        struct hagg_err *err);

/* The same if one station and one relay are enough. */
void unprotected_least(struct sheet *sheet, const struct plan *p, uint64_t length);

#endif
