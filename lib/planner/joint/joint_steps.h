/*
 * joint_steps.h - the ways to bring one more client inside (joint_core.h), and their costs.
 */
#ifndef HAGG_PLANNER_JOINT_STEPS_H
#define HAGG_PLANNER_JOINT_STEPS_H

#include "planner/joint/joint_gather.h"

enum joint_steps_method {
    JOINT_STEPS_JOIN,   /* the client moves to a group of the core */
    JOINT_STEPS_ATTACH, /* clients of the core move to its group, which links it to the core */
    JOINT_STEPS_MAKE,   /* a new group of it and clients of the core */
};

struct joint_step {
    double price; /* per client brought inside */
    enum joint_steps_method method;
    uint32_t client;
    unsigned side;
};

struct joint_steps {
    struct joint_core *core;
    struct joint_gather *gather;
    uint32_t *candidates; /* clients that could move to a group, the cheapest first */
};

/* core and gather must outlive it. */
int joint_steps_new(struct joint_steps *w, struct joint_core *core, struct joint_gather *gather,
                    struct hagg_err *err);
void joint_steps_free(struct joint_steps *w);

/* Evaluates all ways to bring a client inside without applying any. Replaces *best if one is
 * cheaper. */
void joint_steps_evaluate(struct joint_steps *w, uint32_t client, struct joint_step *best);

/* Applies a step found by joint_steps_evaluate. */
void joint_steps_apply(struct joint_steps *w, const struct joint_step *step);

#endif
