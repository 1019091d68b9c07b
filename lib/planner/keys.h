/*
 * keys.h - the planner for protocol keys: chooses the station sets and relays so that the plan is
 * private and as cheap as the search finds.
 */
#ifndef HAGG_PLANNER_KEYS_H
#define HAGG_PLANNER_KEYS_H

#include <gmp.h>

#include "planner/planner.h"

/* Replaces p->topology by one with a choice for every client. transform: relays have sharings of
 * their own. The condition is used under full collusion only. HAGG_E_PRIVACY, with a suggestion in
 * *err, if no private choice was found; the topology may then have lost its choices. */
int keys_choose(struct plan *p, bool transform, enum collusion_condition condition,
                struct effort *effort, struct planner_certainty *certainty, struct hagg_err *err);

/* Sets bound to a number of multiples of the vector that every plan with protocol keys costs at
 * least, with and without transform, and price to what they cost at least at the prices of the
 * topology. p may be for protocol aligned. */
int keys_bound(mpq_t bound, mpq_t price, const struct plan *p, struct hagg_err *err);

#endif
