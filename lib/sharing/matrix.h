/*
 * matrix.h - linear algebra on public matrices, over any field.
 *
 * Matrices are never secret. Only the vectors that matrix_apply reads and writes are.
 */
#ifndef HAGG_MATRIX_H
#define HAGG_MATRIX_H

#include "sharing/field.h"

/* Row-major packed elements. Initialise to all zero; matrix_free resets it to that. */
struct matrix {
    size_t rows, cols;
    size_t elem_size;
    unsigned char *elems;
};

/* Makes a matrix of zeros. */
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

/* out is a new matrix, the inverse of the square matrix a. HAGG_E_MISMATCH if a is singular. */
int matrix_inverse(struct matrix *out, const struct field *f, const struct matrix *a,
                   struct hagg_err *err);

int matrix_rank(size_t *rank, const struct field *f, const struct matrix *a, struct hagg_err *err);

/* out is a new matrix whose rows are a basis of all x with x * a = 0; it may have no rows. */
int matrix_left_null_space(struct matrix *out, const struct field *f, const struct matrix *a,
                           struct hagg_err *err);

/* out is a new matrix with n rows. Row i is 1, p, p^2, ..., p^(cols - 1) for p = points[i]. */
int matrix_vandermonde(struct matrix *out, const struct field *f, const void *points, size_t n,
                       size_t cols, struct hagg_err *err);

/* out is a new matrix, the inverse of the n x n Vandermonde matrix, computed in O(n^2).
 * HAGG_E_MISMATCH if two points are equal. */
int matrix_vandermonde_inverse(struct matrix *out, const struct field *f, const void *points,
                               size_t n, struct hagg_err *err);

/* out[r] = sum over c of m[r][c] * in[c], for m->rows outputs and m->cols inputs of n elements. */
void matrix_apply(const struct matrix *m, const struct field *f, void *const *out,
                  const void *const *in, size_t n);

#endif
