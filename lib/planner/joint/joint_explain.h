/*
 * joint_explain.h - says why there is no private choice, and what would help.
 */
#ifndef HAGG_PLANNER_JOINT_EXPLAIN_H
#define HAGG_PLANNER_JOINT_EXPLAIN_H

#include "plan/collusion.h"
#include "planner/instance.h"
#include "topology/topology.h"

struct joint_failure {
    const char *name;                      /* of the topology */
    const struct topology_client *clients; /* for their numbers */
    enum collusion_condition condition;
    bool exhausted;      /* all choices were tried */
    bool stopped;        /* the time limit was reached before all was done that could be */
    int64_t largest;     /* number of clients against which a private choice was found, or -1 */
    bool largest_unsure; /* the time limit was reached while it was looked for */
};

/* Whether it can be shown, without a search, that there is no private choice: 1, and *err says why;
 * 0; -1 for another error, which *err says. largest is used only when the answer is 1. */
int joint_explain_impossible(const struct instance *in, const struct joint_failure *f,
                             struct hagg_err *err);

/* None was found. Returns -1. */
int joint_explain(const struct instance *in, const struct joint_failure *f, struct hagg_err *err);

#endif
