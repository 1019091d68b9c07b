/*
 * subnet.h - a part of the network of a plan: some of its clients, with their routes and stations.
 */
#ifndef HAGG_SUBNET_H
#define HAGG_SUBNET_H

#include "plan/plan.h"

/* Initialise to all zero. */
struct subnet {
    struct plan plan; /* shares field, scheme, name and lists with the original */
};

/* clients are n indices in the plan's list of clients, ascending. With protocol aligned, vectors
 * have n_segments segments, only the stations of these clients are in use, and there are as few
 * dealers as the bounds of the plan allow, so that the linear system stays small. The plan must
 * outlive the result. */
int subnet_new(struct subnet *s, const struct plan *plan, const uint32_t *clients, size_t n,
               uint32_t n_segments, struct hagg_err *err);

void subnet_free(struct subnet *s);

#endif
