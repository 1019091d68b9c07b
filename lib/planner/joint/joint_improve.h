/*
 * joint_improve.h - makes a private choice cheaper. It is private after every step.
 */
#ifndef HAGG_PLANNER_JOINT_IMPROVE_H
#define HAGG_PLANNER_JOINT_IMPROVE_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

/* c is private before and after. Ends when no single step reduces the cost. The sets of the cover
 * are tried as additional groups. */
int joint_improve(struct choice *c, const struct cover *cover, struct effort *e,
                  struct hagg_err *err);

/* The same, and then again from perturbed choices, as often as the effort allows. share is its part
 * of the expected progress. */
int joint_improve_more(struct choice *c, const struct cover *cover, struct effort *e,
                       uint64_t share, struct hagg_err *err);

#endif
