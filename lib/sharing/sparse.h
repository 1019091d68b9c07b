/*
 * sparse.h - a public matrix with many zeros, as groups of rows that are zero in the same columns.
 *
 * With a scheme whose shares have several symbols, each symbol depends on few parts and random
 * vectors. Each group is multiplied as a dense matrix of its own.
 */
#ifndef HAGG_SPARSE_H
#define HAGG_SPARSE_H

#include "sharing/matrix.h"

struct sparse_group {
    size_t *rows, *cols;   /* of the whole matrix */
    struct matrix entries; /* of these rows and columns */
};

/* Initialise to all zero. */
struct sparse {
    struct sparse_group *groups;
    size_t n_groups;
    size_t n_rows, n_cols; /* of the whole matrix */
};

/* Makes the groups of m, which is not needed afterwards. */
int sparse_new(struct sparse *s, const struct field *f, const struct matrix *m,
               struct hagg_err *err);

void sparse_free(struct sparse *s);

/* The same as matrix_apply. from and to are scratch: room for n_cols and n_rows pointers. */
void sparse_apply(const struct sparse *s, const struct field *f, void *const *out,
                  const void *const *in, size_t n, const void **from, void **to);

#endif
