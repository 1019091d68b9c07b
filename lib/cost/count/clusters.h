/*
 * clusters.h - spreads clients evenly over stations, for protocols in which each client uses one
 * station and each station has equally many clients.
 */
#ifndef HAGG_COST_CLUSTERS_H
#define HAGG_COST_CLUSTERS_H

#include "topology/topology.h"

/* Sets *n to the number of stations if each client can be given one of those that it reaches so
 * that all stations get equally many, and otherwise to 0. The clients of a network given in
 * numbers, which has no groups, reach whichever stations this takes. */
int clusters_count(const struct topology *t, uint64_t *n, struct hagg_err *err);

#endif
