/*
 * reshared_search.h - the cheapest use of the patterns of reshared.h: facility location with a fee
 * for each pattern and another for each group.
 */
#ifndef HAGG_PLANNER_RESHARED_SEARCH_H
#define HAGG_PLANNER_RESHARED_SEARCH_H

#include "planner/effort.h"
#include "planner/relays/reshared.h"

#define RESHARED_ANY UINT32_MAX

/* Sets of[c] to the pattern of each reach class. With a group other than RESHARED_ANY, only
 * patterns of this group are used. 1: done; 0: some class has no pattern in the group; -1: error.
 */
int reshared_search(const struct reshared *r, uint32_t group, struct effort *e, uint32_t *of,
                    struct hagg_err *err);

/* A lower bound on the cost with this group alone; INFINITY if some class has no pattern in it. */
double reshared_group_bound(const struct reshared *r, uint32_t group);

#endif
