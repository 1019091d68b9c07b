/*
 * trim.h - protocol keys without relays, if stations pay: removes stations from the sets of a plan
 * where this lowers the price.
 *
 * The searches know prices of links only, for which larger sets are never dearer. All clients of a
 * pattern change together, so the graph of patterns (lib/plan/collusion.h) stays the same, unless
 * two patterns become equal.
 */
#ifndef HAGG_PLANNER_TRIM_H
#define HAGG_PLANNER_TRIM_H

#include "planner/instance.h"

/* Makes *to the topology of the plan, whose sets were chosen, with smaller sets. The caller checks
 * that it is private, and cheaper. */
int trim_sets(struct topology *to, const struct plan *p, const struct instance *in,
              struct hagg_err *err);

#endif
