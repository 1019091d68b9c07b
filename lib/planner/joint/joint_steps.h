/*
 * joint_steps.h - the ways to bring one more client to the core (joint_core.h), and what each
 * costs.
 */
#ifndef HAGG_PLANNER_JOINT_STEPS_H
#define HAGG_PLANNER_JOINT_STEPS_H

#include "planner/joint/joint_gather.h"

enum joint_steps_method {
    JOINT_STEPS_JOIN,   /* the client goes to a group of the core */
    JOINT_STEPS_ATTACH, /* its group comes in, with further clients that the core holds */
    JOINT_STEPS_MAKE,   /* a new group of it and of clients that the core holds */
};

struct joint_step {
    double price; /* for each client brought in */
    enum joint_steps_method method;
    uint32_t client;
    unsigned side;
};

struct joint_steps {
    struct joint_core *core;
    struct joint_gather *gather;
    uint32_t *candidates; /* clients that may join a group, the cheapest first */
};

/* Core and gather must outlive it. */
int joint_steps_new(struct joint_steps *w, struct joint_core *core, struct joint_gather *gather,
                    struct hagg_err *err);
void joint_steps_free(struct joint_steps *w);

/* Tries all ways to bring a client in, takes none, and makes *best the cheapest if it is cheaper
 * than what was there. */
void joint_steps_evaluate(struct joint_steps *w, uint32_t client, struct joint_step *best);

/* Takes a step, for good. */
void joint_steps_apply(struct joint_steps *w, const struct joint_step *step);

#endif
