/*
 * joint_exact.h - finds the cheapest private choice of few clients by exhaustive search with
 * bounds.
 */
#ifndef HAGG_PLANNER_JOINT_EXACT_H
#define HAGG_PLANNER_JOINT_EXACT_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

#define JOINT_EXACT_MOST 20 /* clients */

struct joint_exact {
    bool found;    /* a private choice that costs less than the limit was found */
    bool complete; /* it is the cheapest; if !found, there is none below the limit */
    double bound;  /* no private choice costs less, except possibly the one found */
    uint32_t of[2][JOINT_EXACT_MOST]; /* if found: the group of each client on each side */
};

/* in has at most JOINT_EXACT_MOST clients. side_bound is a lower bound on the cost of one side. z
 * is as in struct choice. */
int joint_exact(const struct instance *in, enum collusion_condition condition, uint32_t z,
                double side_bound, double limit, struct effort *e, struct joint_exact *x,
                struct hagg_err *err);

#endif
