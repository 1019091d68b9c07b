/*
 * apply.h - puts what a planner has chosen into the topology.
 */
#ifndef HAGG_PLANNER_APPLY_H
#define HAGG_PLANNER_APPLY_H

#include "planner/relays/side.h"

/* Makes *to a plan of p's topology with the sides that were chosen: that of the vectors and, under
 * full collusion, that of the keys, which is NULL under partial. Without relays, of a pattern that
 * has more stations than its sharing takes, those serve that have least to do. Under partial
 * collusion each key goes to a station that has few, or, where stations may be missing, keys go to
 * few stations. */
int apply_sides(struct topology *to, const struct plan *p, const struct instance *in,
                const struct side *shares, const struct side *keys, struct hagg_err *err);

#endif
