/*
 * packing_basis.h - the simplex method for the packing program, in floating point. Its results are
 * never trusted: packing.c rounds them to feasible solutions, and packing_proof.c proves optima.
 */
#ifndef HAGG_COST_PACKING_BASIS_H
#define HAGG_COST_PACKING_BASIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* A set without z of its members; or, with n = 0, the slack of a node. */
struct packing_column {
    uint32_t *nodes; /* from 0 */
    uint32_t n, slack;
};

/* One row and one basic column for each node. */
struct packing_basis {
    uint32_t n;
    struct packing_column *columns;
    double *inverse; /* n x n, by column of the basis */
    double *weights; /* of the columns */
    double *prices;  /* by node: the x that belongs to this basis */
    double *direction;
    double n_operations; /* so far */
};

int packing_basis_new(struct packing_basis *b, uint32_t n, struct hagg_err *err);

void packing_basis_free(struct packing_basis *b);

/* Brings a column, which the basis then owns, into the basis. gain is the increase of the total for
 * each unit of its weight. Returns false, and frees the column, if the column cannot enter because
 * of rounding errors. */
bool packing_basis_enter(struct packing_basis *b, struct packing_column column, double gain);

/* Sets the weights to those of the basis without the perturbation that prevents cycles. */
void packing_basis_settle(struct packing_basis *b);

#endif
