/*
 * masks.h - samples masks for aligned sums: values for all holders, as long as a segment for each
 * of their intervals, that decode to zero and are otherwise uniformly random.
 *
 * The finest intervals, cut at the boundaries of all holders, are sampled from left to right. In
 * each of them the values that decode to zero are a code in which any k - (its segments) values
 * determine the others. The values of holders whose own interval began earlier are fixed; of the
 * holders whose interval begins here some are drawn, and the others are computed: those of the
 * holders with the most intervals, so that few holders have values that are computed.
 */
#ifndef HAGG_MASKS_H
#define HAGG_MASKS_H

#include "sharing/aligned.h"
#include "sharing/lagrange.h"

/* One finest interval. Holders are indices, in ascending order. */
struct masks_step {
    uint32_t first;             /* segment */
    uint32_t *drawn, *computed; /* holders whose own interval begins here */
    uint32_t *from;             /* holders from whose values the others are computed */
    uint32_t n_drawn, n_computed, n_from;
    struct matrix matrix; /* n_computed rows, n_from columns; empty before masks_fill */
};

/* Initialise to all zero. */
struct masks {
    const struct aligned *a;
    struct masks_step *steps;
    size_t n_steps;
    uint32_t n_draws;      /* of all steps */
    bool *all_drawn;       /* by holder: true if it has a mask of which every value is drawn */
    struct lagrange whole; /* through all holders; empty before masks_fill */
};

/* Chooses the values that are drawn. blocks has n entries, one for each holder. The values of
 * holders that are bare are fixed to zero. HAGG_E_MISMATCH if there are no such masks, because too
 * few intervals begin at a cut. a must outlive the result. */
int masks_new(struct masks *m, const struct aligned *a, const struct blocks *blocks,
              const bool *bare, struct hagg_err *err);

/* Computes the matrix of a step, unless it has one. */
int masks_fill(struct masks *m, size_t step, struct hagg_err *err);

void masks_free(struct masks *m);

#endif
