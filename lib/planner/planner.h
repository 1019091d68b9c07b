/*
 * planner.h - chooses the sets of a plan: private, and as cheap as can be found.
 */
#ifndef HAGG_PLANNER_PLANNER_H
#define HAGG_PLANNER_PLANNER_H

#include "collusion.h"
#include "effort.h"
#include "plan.h"

struct planner_result {
    double cost;  /* of the sharings and sums that the sets decide on */
    double bound; /* no private choice of sets has less; 0: unknown */
    bool proved;  /* cost is the least */
};

/* Chooses for every client of the plan; what was chosen before is forgotten. HAGG_E_PRIVACY when no
 * private choice was found, with what would help. The condition is for full collusion. */
int planner_choose(struct plan *p, enum collusion_condition condition, struct effort *effort,
                   struct planner_result *result, struct hagg_err *err);

#endif
