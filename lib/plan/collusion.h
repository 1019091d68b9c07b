/*
 * collusion.h - whether clients' sums stay private when clients collude with the federator and the
 * federator sees one sum of padded vectors for each group Y and one sum of keys for each group X.
 *
 * Groups are vertices, Y on one side and X on the other; each client is an edge: docs/theory.md,
 * "Full collusion, exactly". A group without a client does not count. Clients are known by their
 * index in edges.
 */
#ifndef HAGG_COLLUSION_H
#define HAGG_COLLUSION_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* A client: the group of its padded vector, below n_y, and the group of its key, below n_x. In all
 * functions n and n_y + n_x are at most 2^30. */
struct collusion_edge {
    uint32_t y, x;
};

enum collusion_condition {
    COLLUSION_EXACT, /* no z clients learn, with the federator, more than the sum of all others */
    COLLUSION_PAPER, /* the paper's, sufficient only: the codes of Y and X are z + 1 apart */
};

/* The colluders, at most z, who learn the sum of the exposed. Others remain, whose sum they learn
 * too; of all sums so learnt that of the exposed is over the fewest clients. There are no exposed
 * when the paper's condition fails and the exact one does not. Both ascend. */
struct collusion_cut {
    uint32_t *colluders;
    size_t n_colluders;
    uint32_t *exposed;
    size_t n_exposed;
};

/* 1: private against any z clients with the federator. 0: not, and *cut (unless NULL) is then a
 * reason, for collusion_cut_free. -1: out of memory. *cut is empty unless the answer is 0. */
int collusion_private(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                      uint32_t z, enum collusion_condition condition, struct collusion_cut *cut,
                      struct hagg_err *err);

/* *strength: the largest z up to the limit for which it is private, -1 when not even z = 0 is. */
int collusion_strength(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                       enum collusion_condition condition, uint32_t limit, int64_t *strength,
                       struct hagg_err *err);

/* Labels every group, those of Y first, then those of X, n_y + n_x labels, with its class: two are
 * in one class when no z clients separate them. Classes are numbered from 0 in the order of their
 * first group; a group with at most z clients, or with none, is a class by itself. */
int collusion_classes(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                      uint32_t z, uint32_t *label, uint32_t *n_classes, struct hagg_err *err);

void collusion_cut_free(struct collusion_cut *cut);

#endif
