/*
 * aligned_sets.h - the planner for protocol aligned: chooses the stations of every client, the
 * number of segments and the dealers.
 */
#ifndef HAGG_PLANNER_ALIGNED_SETS_H
#define HAGG_PLANNER_ALIGNED_SETS_H

#include "planner/planner.h"

/* HAGG_E_MALFORMED if some station that clients reach is cut off when as many relays are missing as
 * may be: its sum then has no way to the federator. */
int aligned_sets_check_relays(const struct plan *p, struct hagg_err *err);

/* Sets the choices in p->topology, which was parsed to choose, and settles the plan. All choices
 * are private. HAGG_E_MALFORMED if there are none. */
int aligned_sets_choose(struct plan *p, struct effort *effort, struct planner_certainty *certainty,
                        struct hagg_err *err);

#endif
