/*
 * matrix.h - linear algebra over any field, on public matrices.
 *
 * Vectors of secrets meet a matrix in matrix_apply only.
 */
#ifndef HAGG_MATRIX_H
#define HAGG_MATRIX_H

#include "sharing/field.h"

/* Row-major packed elements. Begins all zero; matrix_free leaves it so. */
struct matrix {
    size_t rows, cols;
    size_t elem_size;
    unsigned char *elems;
};

/* A matrix of zeros. */
int matrix_new(struct matrix *m, const struct field *f, size_t rows, size_t cols,
               struct hagg_err *err);
int matrix_copy(struct matrix *to, const struct matrix *from, struct hagg_err *err);
void matrix_free(struct matrix *m);

static inline void *matrix_at(const struct matrix *m, size_t row, size_t col)
{
    return m->elems + (row * m->cols + col) * m->elem_size;
}

/* out = a * b; out is a new matrix. */
int matrix_multiply(struct matrix *out, const struct field *f, const struct matrix *a,
                    const struct matrix *b, struct hagg_err *err);

/* out is a new matrix, the inverse of the square a. HAGG_E_MISMATCH when a has none. */
int matrix_inverse(struct matrix *out, const struct field *f, const struct matrix *a,
                   struct hagg_err *err);

int matrix_rank(size_t *rank, const struct field *f, const struct matrix *a, struct hagg_err *err);

/* out is a new matrix whose rows are a basis of all x with x * a = 0; it may have no rows. */
int matrix_left_null_space(struct matrix *out, const struct field *f, const struct matrix *a,
                           struct hagg_err *err);

/* Row i of the new matrix is 1, p, p^2, ... for p = points[i], cols of them. */
int matrix_vandermonde(struct matrix *out, const struct field *f, const void *points, size_t n,
                       size_t cols, struct hagg_err *err);

/* The inverse of the square Vandermonde matrix, in O(n^2). HAGG_E_MISMATCH when two points agree.
 */
int matrix_vandermonde_inverse(struct matrix *out, const struct field *f, const void *points,
                               size_t n, struct hagg_err *err);

/* out[r] = sum over c of m[r][c] * in[c], for m->rows outputs and m->cols inputs of n elements. */
void matrix_apply(const struct matrix *m, const struct field *f, void *const *out,
                  const void *const *in, size_t n);

#endif
