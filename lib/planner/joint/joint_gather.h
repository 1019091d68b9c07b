/*
 * joint_gather.h - the clients of one group that is being made, and the set that is left to them.
 */
#ifndef HAGG_PLANNER_JOINT_GATHER_H
#define HAGG_PLANNER_JOINT_GATHER_H

#include "planner/joint/joint_core.h"

struct joint_gather {
    const struct choice *c;
    bool *taken;    /* clients of the group, or refused to it */
    uint64_t *set;  /* the meet of its clients' reaches */
    uint32_t *left; /* scratch: stations that each reach class would leave */
};

/* The choice must outlive it. */
int joint_gather_new(struct joint_gather *g, const struct choice *c, struct hagg_err *err);
void joint_gather_free(struct joint_gather *g);

/* A new group, of this client alone. */
void joint_gather_begin(struct joint_gather *g, uint32_t client);

void joint_gather_add(struct joint_gather *g, uint32_t client);

/* The client not taken yet whose reach leaves most of the set; LINKAGE_END when it leaves too few
 * stations. core: NULL, or only clients that it holds by their group on the other side than this.
 */
uint32_t joint_gather_nearest(const struct joint_gather *g, const struct joint_core *core,
                              unsigned side);

#endif
