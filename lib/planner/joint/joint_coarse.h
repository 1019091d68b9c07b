/*
 * joint_coarse.h - a choice with few large groups, dear but with a graph that holds together well.
 */
#ifndef HAGG_PLANNER_JOINT_COARSE_H
#define HAGG_PLANNER_JOINT_COARSE_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

/* Different groups on the two sides, and at each call. 1: done; 0: c has too little room; -1: an
 * error. */
int joint_coarse(struct choice *c, struct effort *e, struct hagg_err *err);

#endif
