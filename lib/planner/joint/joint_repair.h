/*
 * joint_repair.h - finds a private choice for few clients with few stations in common: as long as
 * some clients learn too much, it links what they separate.
 *
 * It is slower than joint_grow, but finds choices in which every group has just enough clients.
 */
#ifndef HAGG_PLANNER_JOINT_REPAIR_H
#define HAGG_PLANNER_JOINT_REPAIR_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

/* Visits at most n_visits edges of graphs. c->condition is exact, otherwise it finds nothing. 1: c
 * is private; 0: no private choice was found, or there are too many clients or sets, and c is
 * unchanged; -1: error. The search is random, so another call may succeed. */
int joint_repair(struct choice *c, uint64_t n_visits, struct effort *e, struct hagg_err *err);

#endif
