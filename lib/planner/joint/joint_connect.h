/*
 * joint_connect.h - makes a choice private: joins the parts of its graph by the cheapest changes.
 */
#ifndef HAGG_PLANNER_JOINT_CONNECT_H
#define HAGG_PLANNER_JOINT_CONNECT_H

#include "choice.h"
#include "effort.h"

/* Changes c until it is private. 1: it is; 0: no way was found, and c is any choice; -1: an error.
 */
int joint_connect(struct choice *c, struct effort *e, struct hagg_err *err);

#endif
