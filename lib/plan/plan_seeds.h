/*
 * plan_seeds.h - the shares of a client that are drawn and sent as seeds: docs/computational.md.
 */
#ifndef HAGG_PLAN_SEEDS_H
#define HAGG_PLAN_SEEDS_H

#include "plan/plan.h"

/* Returns true if a client of the group sends share number index over these stations as a seed. z
 * is that of the sharing: so many shares are seeds, first those for stations that the client does
 * not reach, then the last ones of the others. */
bool plan_is_seed(const struct topology_group *g, const struct topology_list *stations, uint32_t z,
                  size_t index);

/* HAGG_E_PRIVACY if the records of the plan are not sealed, so that seeds must not be sent. */
int plan_seeds_check(const struct plan *p, struct hagg_err *err);

#endif
