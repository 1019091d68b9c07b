/*
 * topology_couriers.h - clients that reach too few stations for information-theoretic privacy. They
 * share over more stations than they reach, and a station that they do reach, their courier, passes
 * on the records for the others: docs/computational.md.
 */
#ifndef HAGG_TOPOLOGY_COURIERS_H
#define HAGG_TOPOLOGY_COURIERS_H

#include "topology/topology.h"

/* Returns the fewest stations over which a client can share. */
uint64_t topology_couriers_fewest(const struct topology *t);

/* Decides which groups are computational, and sets reach for those that reach too few stations: to
 * their shares or, if they have too few of them or none, to stations that it chooses. The first are
 * stations that they reach, because they get the computed shares; the others are those that most
 * such clients reach, because a few stations with long sums cost less than many. Does nothing to
 * groups that may not be computational. name is used in messages. For topology_resolve.c, and
 * after the numbers of colluding and missing stations were changed. */
int topology_couriers_settle(struct topology *t, const char *name, struct hagg_err *err);

#endif
