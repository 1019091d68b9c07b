/*
 * joint_coarse.h - makes a choice with few large groups: expensive, but its graph is well
 * connected.
 */
#ifndef HAGG_PLANNER_JOINT_COARSE_H
#define HAGG_PLANNER_JOINT_COARSE_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

/* The groups are random: different on the two sides and in each call. 1: done; 0: c has too little
 * room or the time limit was reached, and c is unchanged; -1: error. */
int joint_coarse(struct choice *c, struct effort *e, struct hagg_err *err);

#endif
