/*
 * packing.h - the linear program of the sharper bound: docs/theory.md, section 9.
 *
 * Minimise the sum of x over all nodes such that, for every set, what is left of the sum of x over
 * the set without its z largest terms is at least 1; for some sets, the whole sum. The dual program
 * packs: it gives weights y to sets without z of their members, such that no node is in sets of
 * total weight above 1, and maximises the total weight. Any feasible y proves a lower bound, any
 * feasible x an upper bound.
 */
#ifndef HAGG_COST_PACKING_H
#define HAGG_COST_PACKING_H

#include <gmp.h>

#include "err.h"
#include "topology/topology.h"

/* The sets are lists of node numbers from 1 to n_nodes, ascending by size. Those with at most z
 * members do not count, unless they are whole. */
struct packing {
    const struct topology_list *const *sets;
    size_t n_sets;
    uint32_t n_nodes, z;
    const bool *whole; /* by set: true if no term of its sum is left out; NULL for none */
};

/* Returns how many terms of the sum of set i are left out. */
static inline uint32_t packing_z(const struct packing *p, size_t i)
{
    return p->whole && p->whole[i] ? 0 : p->z;
}

/* Sets low and high to values of a feasible y and of a feasible x, so that the optimum is between
 * them, exactly. They are equal if the optimum was found and proved, and usually almost equal
 * otherwise. */
int packing_solve(mpq_t low, mpq_t high, const struct packing *p, struct hagg_err *err);

#endif
