/*
 * joint_grow.h - makes a choice private even if clients have few stations in common: starts from
 * one group on each side and adds groups that enough clients link to the rest.
 */
#ifndef HAGG_PLANNER_JOINT_GROW_H
#define HAGG_PLANNER_JOINT_GROW_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

/* Changes c until it is private. 1: done; 0: no way was found, and c is some choice; -1: error. The
 * start is random, so another call may succeed. */
int joint_grow(struct choice *c, struct effort *e, struct hagg_err *err);

#endif
