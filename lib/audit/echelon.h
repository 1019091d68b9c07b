/*
 * echelon.h - Gaussian elimination over any field on rows with few non-zeros, one row at a time.
 *
 * Rows are added one by one and reduced to echelon form at once; each is stored by its first
 * column. Unknowns that are to be eliminated have the lowest columns, so the rows that begin at or
 * after some column span all combinations that are free of the unknowns before it.
 */
#ifndef HAGG_ECHELON_H
#define HAGG_ECHELON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sharing/field.h"

struct echelon_row {
    size_t n;
    uint32_t *cols; /* ascending; the factor of the first is 1 */
    unsigned char *factors;
};

struct echelon {
    const struct field *field;
    size_t n_cols, rank;
    struct echelon_row **rows; /* by first column; NULL: none */
    /* the row under construction */
    uint32_t *cols;
    unsigned char *factors;
    size_t n, capacity;
    bool failed;
};

/* The field must outlive it. */
int echelon_init(struct echelon *e, const struct field *field, size_t n_cols, struct hagg_err *err);

void echelon_free(struct echelon *e);

/* Adds a term to the row under construction. A column may occur more than once. */
void echelon_term(struct echelon *e, size_t col, const void *factor);

/* Adds this row to the echelon form and begins another. Sets *independent, unless it is NULL, to
 * whether the rank increased. */
int echelon_add_row(struct echelon *e, bool *independent, struct hagg_err *err);

/* The number of rows that begin at or after this column. */
size_t echelon_rank_from(const struct echelon *e, size_t col);

/* Makes the rows from this column on unique (reduced echelon form): no row has a non-zero where
 * another row begins. */
int echelon_reduce(struct echelon *e, size_t from, struct hagg_err *err);

#endif
