/*
 * transforming.h - to which relays each pattern of stations hands its sharing, where relays hold
 * sharings of their own.
 *
 * Every station of a pattern sends to every relay of the new sharing, so these are the relays that
 * all of them reach; the more they are, the less each gets.
 */
#ifndef HAGG_PLANNER_TRANSFORMING_H
#define HAGG_PLANNER_TRANSFORMING_H

#include "planner/relays/side.h"

/* The fewest relays that a sharing of theirs can have; 0 when all of them are too few. */
uint32_t transforming_need(const struct plan *p);

/* Gives every pattern its relays, and with side->one_set all patterns the same if enough are
 * reached by all of their stations. A pattern whose stations have too few in common loses some,
 * and so does one that has more than its cheapest sharing takes. HAGG_E_PRIVACY names a client none
 * of whose stations do. */
int transforming_find(struct side *side, const struct plan *p, const struct instance *in,
                      struct hagg_err *err);

#endif
