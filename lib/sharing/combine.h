/*
 * combine.h - from shares to parts, with surplus shares as a check: one matrix for both.
 */
#ifndef HAGG_COMBINE_H
#define HAGG_COMBINE_H

#include <stdbool.h>

#include "sharing/sharing.h"

/* Made for a sharing whose n shares are all there, those marked excepted. Rows of the matrix: first
 * the parts, then for each surplus symbol the difference between what the others say it is and what
 * it is: zero where nothing is wrong. Columns: symbol by symbol, share by share. */
struct combine {
    struct matrix matrix;
    size_t n_parts, n_surplus; /* rows of either kind */
};

/* HAGG_E_TOO_FEW when fewer than k are not left out. */
int combine_new(struct combine *c, const struct sharing *s, const bool *left_out,
                struct hagg_err *err);

void combine_free(struct combine *c);

#endif
