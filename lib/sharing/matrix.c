#include "sharing/matrix.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int matrix_new(struct matrix *m, const struct field *f, size_t rows, size_t cols,
               struct hagg_err *err)
{
    size_t size = field_elem_size(f), n;

    *m = (struct matrix){ .rows = rows, .cols = cols, .elem_size = size };
    /* one extra element, so that an empty matrix has an address too */
    if (__builtin_mul_overflow(rows, cols, &n) || n == SIZE_MAX ||
        !(m->elems = calloc(n + 1, size))) {
        matrix_free(m);
        return err_set(err, HAGG_E_SYSTEM, "no memory for a matrix of %zu x %zu", rows, cols);
    }
    return 0;
}

int matrix_copy(struct matrix *to, const struct matrix *from, struct hagg_err *err)
{
    size_t len_bytes = from->rows * from->cols * from->elem_size;

    *to = *from;
    to->elems = malloc(len_bytes + from->elem_size);
    if (!to->elems) {
        *to = (struct matrix){ 0 };
        return err_errno(err, "cannot copy a matrix");
    }
    memcpy(to->elems, from->elems, len_bytes);
    return 0;
}

void matrix_free(struct matrix *m)
{
    free(m->elems);
    *m = (struct matrix){ 0 };
}

static bool is_zero(const struct matrix *m, size_t row, size_t col)
{
    static const unsigned char zero[8];

    return memcmp(matrix_at(m, row, col), zero, m->elem_size) == 0;
}

static void set_one(const struct field *f, void *elem)
{
    hagg_store(elem, 0, field_elem_size(f), 1);
}

static void negate(const struct field *f, void *elem)
{
    static const unsigned char zero[8];

    field_sub(f, elem, zero, elem, 1);
}

static void swap_rows(struct matrix *m, size_t a, size_t b)
{
    unsigned char *x = matrix_at(m, a, 0), *y = matrix_at(m, b, 0);

    if (a == b)
        return;
    for (size_t i = 0; i < m->cols * m->elem_size; i++) {
        unsigned char keep = x[i];

        x[i] = y[i];
        y[i] = keep;
    }
}

/* row[target] += factor * row[source], from column col on */
static void add_row(struct matrix *m, const struct field *f, size_t target, const void *factor,
                    size_t source, size_t col)
{
    field_scale_add(f, matrix_at(m, target, col), factor, matrix_at(m, source, col), m->cols - col);
}

/* Makes the pivot 1. Uses scratch because row += (1/pivot - 1) * row would alias. */
static void normalize_row(struct matrix *m, const struct field *f, size_t row, size_t col,
                          unsigned char *scratch)
{
    size_t n = m->cols - col;
    unsigned char inverse[8];

    field_inv(f, inverse, matrix_at(m, row, col));
    memset(scratch, 0, n * m->elem_size);
    field_scale_add(f, scratch, inverse, matrix_at(m, row, col), n);
    memcpy(matrix_at(m, row, col), scratch, n * m->elem_size);
}

/* Brings the first n_cols columns to reduced echelon form by operations on whole rows, and sets
 * *rank to the rank of these columns. */
static int reduce(struct matrix *m, const struct field *f, size_t n_cols, size_t *rank,
                  struct hagg_err *err)
{
    unsigned char *scratch = malloc((m->cols + 1) * m->elem_size);
    size_t done = 0;

    if (!scratch)
        return err_errno(err, "cannot reduce a matrix");
    for (size_t col = 0; col < n_cols && done < m->rows; col++) {
        size_t pivot = done;

        while (pivot < m->rows && is_zero(m, pivot, col))
            pivot++;
        if (pivot == m->rows)
            continue;
        swap_rows(m, pivot, done);
        normalize_row(m, f, done, col, scratch);
        for (size_t row = 0; row < m->rows; row++)
            if (row != done && !is_zero(m, row, col)) {
                unsigned char factor[8];

                memcpy(factor, matrix_at(m, row, col), m->elem_size);
                negate(f, factor);
                add_row(m, f, row, factor, done, col);
            }
        done++;
    }
    free(scratch);
    *rank = done;
    return 0;
}

/* Makes [a | identity] and reduces it on the columns of a. */
static int reduce_with_identity(struct matrix *both, const struct field *f, const struct matrix *a,
                                size_t *rank, struct hagg_err *err)
{
    if (matrix_new(both, f, a->rows, a->cols + a->rows, err))
        return -1;
    for (size_t row = 0; row < a->rows; row++) {
        memcpy(matrix_at(both, row, 0), matrix_at(a, row, 0), a->cols * a->elem_size);
        set_one(f, matrix_at(both, row, a->cols + row));
    }
    if (reduce(both, f, a->cols, rank, err)) {
        matrix_free(both);
        return -1;
    }
    return 0;
}

/* Copies the last cols columns of rows first and up into a new matrix. */
static int copy_right(struct matrix *out, const struct field *f, const struct matrix *both,
                      size_t first, size_t cols, struct hagg_err *err)
{
    if (matrix_new(out, f, both->rows - first, cols, err))
        return -1;
    for (size_t row = first; row < both->rows; row++)
        memcpy(matrix_at(out, row - first, 0), matrix_at(both, row, both->cols - cols),
               cols * both->elem_size);
    return 0;
}

int matrix_multiply(struct matrix *out, const struct field *f, const struct matrix *a,
                    const struct matrix *b, struct hagg_err *err)
{
    if (matrix_new(out, f, a->rows, b->cols, err))
        return -1;
    for (size_t row = 0; row < a->rows; row++)
        for (size_t i = 0; i < a->cols; i++)
            field_scale_add(f, matrix_at(out, row, 0), matrix_at(a, row, i), matrix_at(b, i, 0),
                            b->cols);
    return 0;
}

int matrix_inverse(struct matrix *out, const struct field *f, const struct matrix *a,
                   struct hagg_err *err)
{
    struct matrix both;
    size_t rank;
    int status;

    *out = (struct matrix){ 0 };
    if (reduce_with_identity(&both, f, a, &rank, err))
        return -1;
    if (rank == a->rows && rank == a->cols)
        status = copy_right(out, f, &both, 0, a->rows, err);
    else
        status = err_set(err, HAGG_E_MISMATCH, "a matrix of %zu x %zu has no inverse (rank %zu)",
                         a->rows, a->cols, rank);
    matrix_free(&both);
    return status;
}

int matrix_rank(size_t *rank, const struct field *f, const struct matrix *a, struct hagg_err *err)
{
    struct matrix copy;
    int status;

    if (matrix_copy(&copy, a, err))
        return -1;
    status = reduce(&copy, f, copy.cols, rank, err);
    matrix_free(&copy);
    return status;
}

int matrix_left_null_space(struct matrix *out, const struct field *f, const struct matrix *a,
                           struct hagg_err *err)
{
    struct matrix both;
    size_t rank;
    int status;

    *out = (struct matrix){ 0 };
    if (reduce_with_identity(&both, f, a, &rank, err))
        return -1;
    status = copy_right(out, f, &both, rank, a->rows, err);
    matrix_free(&both);
    return status;
}

int matrix_vandermonde(struct matrix *out, const struct field *f, const void *points, size_t n,
                       size_t cols, struct hagg_err *err)
{
    const unsigned char *point = points;

    if (matrix_new(out, f, n, cols, err))
        return -1;
    for (size_t row = 0; row < n; row++, point += out->elem_size) {
        if (cols > 0)
            set_one(f, matrix_at(out, row, 0));
        for (size_t col = 1; col < cols; col++)
            field_mul(f, matrix_at(out, row, col), matrix_at(out, row, col - 1), point);
    }
    return 0;
}

/* Computes the n + 1 coefficients, lowest first, of the product of (x - p) over all points p. */
static void master_polynomial(const struct field *f, unsigned char *poly, const void *points,
                              size_t n)
{
    size_t size = field_elem_size(f);
    const unsigned char *point = points;

    memset(poly, 0, (n + 1) * size);
    set_one(f, poly);
    for (size_t i = 0; i < n; i++) {
        unsigned char minus[8];

        memcpy(minus, point + i * size, size);
        negate(f, minus);
        /* poly = x * poly - p * poly, from the top, so that each coefficient is read before it
         * changes */
        for (size_t j = i + 1; j > 0; j--) {
            unsigned char *high = poly + j * size, *low = high - size;

            field_mul(f, high, high, minus);
            field_add(f, high, high, low, 1);
        }
        field_mul(f, poly, poly, minus);
    }
}

int matrix_vandermonde_inverse(struct matrix *out, const struct field *f, const void *points,
                               size_t n, struct hagg_err *err)
{
    const unsigned char *point = points;
    size_t size = field_elem_size(f);
    unsigned char *poly = calloc(2 * n + 1, size), *quotient = NULL;

    *out = (struct matrix){ 0 };
    if (!poly)
        return err_errno(err, "cannot invert a Vandermonde matrix");
    quotient = poly + (n + 1) * size;
    if (matrix_new(out, f, n, n, err))
        goto fail;
    master_polynomial(f, poly, points, n);
    for (size_t col = 0; col < n; col++, point += size) {
        unsigned char value[8] = { 0 }, inverse[8];

        /* synthetic division by (x - point), and the value of the quotient at the point */
        memcpy(quotient + (n - 1) * size, poly + n * size, size);
        for (size_t j = n - 1; j-- > 0;) {
            field_mul(f, quotient + j * size, quotient + (j + 1) * size, point);
            field_add(f, quotient + j * size, quotient + j * size, poly + (j + 1) * size, 1);
        }
        for (size_t j = n; j-- > 0;) {
            field_mul(f, value, value, point);
            field_add(f, value, value, quotient + j * size, 1);
        }
        if (field_inv(f, inverse, value)) {
            err_set(err, HAGG_E_MISMATCH, "two points are equal");
            goto fail;
        }
        for (size_t row = 0; row < n; row++)
            field_mul(f, matrix_at(out, row, col), quotient + row * size, inverse);
    }
    free(poly);
    return 0;

fail:
    free(poly);
    matrix_free(out);
    return -1;
}

void matrix_apply(const struct matrix *m, const struct field *f, void *const *out,
                  const void *const *in, size_t n)
{
    field_mat_apply(f, out, m->rows, in, m->cols, m->elems, n);
}
