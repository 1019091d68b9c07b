/*
 * joint_small_groups.h - does away with groups of at most z clients, which the paper's condition
 * does not allow: these clients alone would cut such a group off.
 */
#ifndef HAGG_PLANNER_JOINT_SMALL_GROUPS_H
#define HAGG_PLANNER_JOINT_SMALL_GROUPS_H

#include "choice.h"

/* Empties, fills or merges them, whichever costs least. Returns whether none is left. */
bool joint_small_groups(struct choice *c);

#endif
