/*
 * planner.h - chooses the sets of a plan: private, and as cheap as can be found.
 */
#ifndef HAGG_PLANNER_PLANNER_H
#define HAGG_PLANNER_PLANNER_H

#include "plan/collusion.h"
#include "planner/effort.h"
#include "plan/plan.h"

/* Whether relays hold sharings of their own. */
enum planner_transform {
    PLANNER_TRANSFORM_AUTO, /* if the topology says so, or if there is no other way */
    PLANNER_TRANSFORM_NEVER,
    PLANNER_TRANSFORM_ALWAYS,
};

struct planner_options {
    enum collusion_condition condition; /* for full collusion */
    enum planner_transform transform;
};

struct planner_result {
    double cost;               /* of the sharings and sums that the sets decide on */
    double bound;              /* no private choice of sets has less; 0: unknown */
    bool proved;               /* cost is the least */
    struct hagg_err unmatched; /* why relays cannot pass shares on as they are, if this was found
                                  and the plan transforms them instead; otherwise status 0 */
};

/* Chooses for every client of the plan; what was chosen before is forgotten. HAGG_E_PRIVACY when no
 * private choice was found, with what would help. */
int planner_choose(struct plan *p, const struct planner_options *options, struct effort *effort,
                   struct planner_result *result, struct hagg_err *err);

#endif
