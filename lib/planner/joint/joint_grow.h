/*
 * joint_grow.h - makes a choice private where clients share few stations: from one group on each
 * side, adds groups that enough clients hold to the rest.
 */
#ifndef HAGG_PLANNER_JOINT_GROW_H
#define HAGG_PLANNER_JOINT_GROW_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

/* Changes c until it is private. 1: it is; 0: no way was found, and c is any choice; -1: an error.
 * Another call may begin elsewhere. */
int joint_grow(struct choice *c, struct effort *e, struct hagg_err *err);

#endif
