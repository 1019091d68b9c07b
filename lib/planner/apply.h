/*
 * apply.h - writes the planner's choice into a topology.
 */
#ifndef HAGG_PLANNER_APPLY_H
#define HAGG_PLANNER_APPLY_H

#include "planner/relays/side.h"

/* Makes *to a plan: p's topology with the chosen side for the vectors and, under full collusion,
 * the one for the keys. keys is NULL under partial collusion. The caller frees *to.
 *
 * Without relays, if a pattern has more stations than its sharing needs, the least loaded stations
 * are used. Under partial collusion each key goes to a station that has few keys; if stations may
 * be missing, the keys go to as few stations as possible instead. */
int apply_sides(struct topology *to, const struct plan *p, const struct instance *in,
                const struct side *shares, const struct side *keys, struct hagg_err *err);

#endif
