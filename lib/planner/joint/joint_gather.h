/*
 * joint_gather.h - collects the clients of a new group and the stations that all of them reach.
 */
#ifndef HAGG_PLANNER_JOINT_GATHER_H
#define HAGG_PLANNER_JOINT_GATHER_H

#include "planner/joint/joint_core.h"

struct joint_gather {
    const struct choice *c;
    bool *taken;    /* of each client: true if in the group or rejected */
    uint64_t *set;  /* the intersection of its clients' reaches */
    uint32_t *left; /* scratch: for each reach class, size of its intersection with the set */
};

/* The choice must outlive it. */
int joint_gather_new(struct joint_gather *g, const struct choice *c, struct hagg_err *err);
void joint_gather_free(struct joint_gather *g);

/* Starts a new group with this client. */
void joint_gather_begin(struct joint_gather *g, uint32_t client);

void joint_gather_add(struct joint_gather *g, uint32_t client);

/* The client not taken yet whose reach has most stations in common with the set; LINKAGE_END if
 * these are too few for a sharing. If core is not NULL, only clients whose group on the other side
 * (!side) is in the core. */
uint32_t joint_gather_nearest(const struct joint_gather *g, const struct joint_core *core,
                              unsigned side);

#endif
