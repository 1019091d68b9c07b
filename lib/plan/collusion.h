/*
 * collusion.h - decides what colluding clients and the federator learn together, if the federator
 * sees one sum of padded vectors for each group Y and one sum of keys for each group X.
 *
 * Groups are the vertices of a bipartite graph, Y on one side and X on the other, and each client
 * is an edge: docs/theory.md, "Full collusion, exactly". A group without a client is ignored. A
 * client is identified by its index in edges.
 */
#ifndef HAGG_COLLUSION_H
#define HAGG_COLLUSION_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* A client: the group of its padded vector, below n_y, and the group of its key, below n_x. In all
 * functions n, the number of edges, and n_y + n_x are at most 2^30. */
struct collusion_edge {
    uint32_t y, x;
};

enum collusion_condition {
    /* Exact: any z clients with the federator learn no more than the sum over all other clients. */
    COLLUSION_EXACT,
    /* The paper's, which is sufficient only: the codes of Y and X have distance at least z + 1. */
    COLLUSION_PAPER,
};

/* At most z colluders, and the exposed clients whose sum they learn. The remaining clients fall
 * into one or more further sets whose sums they learn too; the exposed are the smallest of all
 * these sets. There are no exposed clients if only the paper's condition fails. Both lists are
 * ascending. */
struct collusion_cut {
    uint32_t *colluders;
    size_t n_colluders;
    uint32_t *exposed;
    size_t n_exposed;
};

/* Returns 1 if the condition is met for z, 0 if not, -1 if out of memory. cut may be NULL. If the
 * answer is 0, *cut is a reason, to be freed with collusion_cut_free; otherwise it is empty. */
int collusion_private(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                      uint32_t z, enum collusion_condition condition, struct collusion_cut *cut,
                      struct hagg_err *err);

/* Sets *strength to the largest z up to limit for which the condition is met, or to -1 if it is not
 * met even for z = 0. */
int collusion_strength(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                       enum collusion_condition condition, uint32_t limit, int64_t *strength,
                       struct hagg_err *err);

/* Labels every group with its class: first the groups of Y, then those of X, n_y + n_x labels. Two
 * groups are in the same class if no z clients separate them. A group with at most z clients,
 * possibly none, is a class of its own. Classes are numbered from 0 in the order of their first
 * groups. */
int collusion_classes(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                      uint32_t z, uint32_t *label, uint32_t *n_classes, struct hagg_err *err);

void collusion_cut_free(struct collusion_cut *cut);

#endif
