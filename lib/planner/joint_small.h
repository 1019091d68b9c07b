/*
 * joint_small.h - the paper's condition wants more than z clients in each group.
 */
#ifndef HAGG_PLANNER_JOINT_SMALL_H
#define HAGG_PLANNER_JOINT_SMALL_H

#include "choice.h"

/* Empties, fills or merges groups of at most z clients, whichever costs least. Returns whether none
 * is left. */
bool joint_small(struct choice *c);

#endif
