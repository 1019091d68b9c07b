/*
 * packing_sum.h - the left side of a constraint of the packing program, in floating point.
 */
#ifndef HAGG_COST_PACKING_SUM_H
#define HAGG_COST_PACKING_SUM_H

#include "cost/packing/packing.h"

/* The largest prices of the set that was added up last, descending, and their nodes, from 0. */
struct packing_sum {
    uint32_t n; /* of them */
    double *largest;
    uint32_t *nodes;
};

/* z: the largest. */
int packing_sum_new(struct packing_sum *s, uint32_t z, struct hagg_err *err);

void packing_sum_free(struct packing_sum *s);

/* Returns the sum of the prices of a set without its z largest. The set has more than z members,
 * and z is at most that of packing_sum_new. prices are by node, from 0. */
double packing_sum_least(struct packing_sum *s, const struct topology_list *set, uint32_t z,
                         const double *prices);

/* True if the node is one of those that the last sum left out. */
bool packing_sum_drops(const struct packing_sum *s, uint32_t node);

#endif
