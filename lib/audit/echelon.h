/*
 * echelon.h - Gaussian elimination over any field on rows with few non-zeros, one row at a time.
 *
 * Rows go in one after the other and are brought to echelon form at once: each is kept under its
 * first column. What is to be eliminated has the lowest columns, so that rows which begin at or
 * behind some column span all combinations that are free of what is before it.
 */
#ifndef HAGG_ECHELON_H
#define HAGG_ECHELON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sharing/field.h"

struct echelon_row {
    size_t n;
    uint32_t *cols; /* ascending; the first factor is 1 */
    unsigned char *factors;
};

struct echelon {
    const struct field *field;
    size_t n_cols, rank;
    struct echelon_row **rows; /* by first column; NULL where there is none */
    /* the row that is being put together */
    uint32_t *cols;
    unsigned char *factors;
    size_t n, capacity;
    bool failed;
};

/* The field must outlive it. */
int echelon_init(struct echelon *e, const struct field *field, size_t n_cols, struct hagg_err *err);

void echelon_free(struct echelon *e);

/* Adds to the row that is being put together; a column may come more than once. */
void echelon_term(struct echelon *e, size_t col, const void *factor);

/* Takes that row in and begins another. *grew, unless NULL, is whether it was independent. */
int echelon_take(struct echelon *e, bool *grew, struct hagg_err *err);

/* The number of rows that begin at this column or behind it. */
size_t echelon_rank_from(const struct echelon *e, size_t col);

/* Makes the form of the rows from this column on unique: no row has a non-zero where another one
 * begins. */
int echelon_reduce(struct echelon *e, size_t from, struct hagg_err *err);

#endif
