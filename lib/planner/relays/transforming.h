/*
 * transforming.h - chooses the relays of each pattern of stations if relays have sharings of their
 * own.
 *
 * Every station of a pattern sends to every relay of the new sharing, so these relays are among
 * those that all of the stations reach. With more relays, each relay receives less.
 */
#ifndef HAGG_PLANNER_TRANSFORMING_H
#define HAGG_PLANNER_TRANSFORMING_H

#include "planner/relays/side.h"

/* The smallest number of relays for a sharing; 0 if all relays together are too few. */
uint32_t transforming_need(const struct plan *p);

/* The number of relays that the cheapest sharing among some of n relays uses, and its cost in
 * multiples of the vector; 0 if they are too few. */
uint32_t transforming_cheapest(const struct plan *p, uint32_t n, double *rate, double *fee);

/* Chooses the relays of every pattern; with side->one_set the same for all patterns if all their
 * stations reach enough common relays. Removes stations from a pattern if they have too few relays
 * in common or are more than its cheapest sharing uses. HAGG_E_PRIVACY if no stations of a client
 * have enough relays in common; the message names the client. */
int transforming_find(struct side *side, const struct plan *p, const struct instance *in,
                      struct hagg_err *err);

#endif
