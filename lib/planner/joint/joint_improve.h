/*
 * joint_improve.h - makes a private choice cheaper, and keeps it private at every step.
 */
#ifndef HAGG_PLANNER_JOINT_IMPROVE_H
#define HAGG_PLANNER_JOINT_IMPROVE_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

/* c is private, and is so afterwards. Until no single step helps; the sets of the cover are tried
 * as further groups. */
int joint_improve(struct choice *c, const struct cover *cover, struct effort *e,
                  struct hagg_err *err);

/* The same, and then again from disturbed choices, as often as the effort allows; so much is its
 * share of the progress. */
int joint_improve_more(struct choice *c, const struct cover *cover, struct effort *e,
                       uint64_t share, struct hagg_err *err);

#endif
