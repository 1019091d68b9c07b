/*
 * joint_explain.h - makes the error message if there is no private choice: the reason, and what
 * would help.
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
    bool exhausted;  /* all choices were tried: there is none */
    bool stopped;    /* the time limit ended the search early */
    int64_t largest; /* largest number of clients against which a private choice was found, or -1 */
    bool largest_unsure; /* the time limit ended the search for largest early */
};

/* 1 if it can be shown without a search that there is no private choice, with the reason in *err; 0
 * if not; -1 for another error, in *err. f->largest is used only if the answer is 1. */
int joint_explain_impossible(const struct instance *in, const struct joint_failure *f,
                             struct hagg_err *err);

/* Sets *err for a search that found no private choice. Returns -1. */
int joint_explain(const struct instance *in, const struct joint_failure *f, struct hagg_err *err);

#endif
