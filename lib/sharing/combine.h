/*
 * combine.h - one matrix that both decodes the parts from shares and checks the surplus shares.
 */
#ifndef HAGG_COMBINE_H
#define HAGG_COMBINE_H

#include <stdbool.h>

#include "sharing/sharing.h"

/* The first n_parts rows decode the parts. Each further row belongs to a symbol of a surplus share:
 * its value predicted from the first k shares, minus its actual value, which is zero if all shares
 * are right. Columns are the symbols of all n shares, share by share; those of shares left out are
 * zero. */
struct combine {
    struct matrix matrix;
    size_t n_parts, n_surplus; /* number of rows of each kind */
};

/* left_out has n entries. HAGG_E_TOO_FEW if fewer than k shares remain. */
int combine_new(struct combine *c, const struct sharing *s, const bool *left_out,
                struct hagg_err *err);

void combine_free(struct combine *c);

#endif
