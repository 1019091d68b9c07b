/*
 * exhaust.h - the cheapest selection of a small network, by branch and bound over all sets of all
 * classes and all numbers of segments.
 */
#ifndef HAGG_PLANNER_EXHAUST_H
#define HAGG_PLANNER_EXHAUST_H

#include "planner/aligned/selection.h"
#include "planner/effort.h"

/* best is settled, and at least as cheap as every selection in which all clients use the same
 * stations. If there is a cheaper selection, it is written to best, which then must be settled
 * again. Visits at most n_nodes partial selections. Returns 1 if all were searched, and then no
 * selection has a lower price than *least; 0 if the network is too large, -1 on failure. */
int exhaust_find(struct selection *best, uint64_t n_nodes, struct effort *effort,
                 struct price *least, struct hagg_err *err);

#endif
