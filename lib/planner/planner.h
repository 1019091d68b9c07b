/*
 * planner.h - chooses the station sets and relays of a plan so that it is private and as cheap as
 * the search finds.
 */
#ifndef HAGG_PLANNER_PLANNER_H
#define HAGG_PLANNER_PLANNER_H

#include "plan/collusion.h"
#include "planner/effort.h"
#include "plan/plan.h"

/* Whether stations transform their sharings, so that relays have sharings of their own. */
enum planner_transform {
    PLANNER_TRANSFORM_AUTO, /* if the topology sets it, or if there is no plan otherwise */
    PLANNER_TRANSFORM_NEVER,
    PLANNER_TRANSFORM_ALWAYS,
};

struct planner_options {
    enum collusion_condition condition; /* used under full collusion only */
    enum planner_transform transform;
};

struct planner_result {
    double cost;               /* of the sharings and sums that depend on the chosen sets */
    double bound;              /* no private choice of sets costs less; 0: unknown */
    bool proved;               /* true if cost is proved minimal */
    struct hagg_err unmatched; /* if the plan transforms sharings because relays cannot pass shares
 on unchanged: the reason; otherwise status 0 */
};

/* Replaces p->topology by one with a choice for every client; earlier choices are discarded.
 * HAGG_E_PRIVACY, with a suggestion in *err, if no private choice was found. */
int planner_choose(struct plan *p, const struct planner_options *options, struct effort *effort,
                   struct planner_result *result, struct hagg_err *err);

#endif
