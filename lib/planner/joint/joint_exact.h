/*
 * joint_exact.h - the cheapest private choice of few clients, by looking at all that could be it.
 */
#ifndef HAGG_PLANNER_JOINT_EXACT_H
#define HAGG_PLANNER_JOINT_EXACT_H

#include "planner/joint/choice.h"
#include "planner/effort.h"

#define JOINT_EXACT_MOST 20 /* clients */

struct joint_exact {
    bool found;    /* a private choice that costs less than the limit */
    bool complete; /* what was found is the cheapest; or there is none below the limit */
    double bound;  /* no private choice costs less, unless one below it was found */
    uint32_t of[2][JOINT_EXACT_MOST]; /* what was found: a group for each client on each side */
};

/* At most JOINT_EXACT_MOST clients. No choice for one side alone costs less than side_bound. z is
 * as in struct choice. */
int joint_exact(const struct instance *in, enum collusion_condition condition, uint32_t z,
                double side_bound, double limit, struct effort *e, struct joint_exact *x,
                struct hagg_err *err);

#endif
