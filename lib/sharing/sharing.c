#include "sharing/sharing.h"

#include <stdlib.h>
#include <string.h>

#include "sharing/lagrange.h"
#include "sharing/systematic.h"

/* Returns true if the rows of the scheme's matrix are the powers of the points, as in ramp: then
 * the shares are a Reed-Solomon code. */
static bool is_polynomial(const struct sharing *s)
{
    const struct matrix *m = &s->matrix;
    unsigned char power[8];

    if (!s->points || m->rows != s->n || m->cols != s->k)
        return false;
    for (size_t row = 0; row < m->rows; row++) {
        memset(power, 0, sizeof power);
        hagg_store(power, 0, m->elem_size, 1);
        for (size_t col = 0; col < m->cols; col++) {
            if (memcmp(matrix_at(m, row, col), power, m->elem_size))
                return false;
            field_mul(s->field, power, power, s->points + row * m->elem_size);
        }
    }
    return true;
}

/* Makes the sharing with the columns of the scheme: nothing is drawn. */
static int new_as_defined(struct sharing *s, const struct field *f, const struct scheme *scheme,
                          uint32_t n, uint32_t k, uint32_t z, const void *points,
                          struct hagg_err *err)
{
    size_t len_bytes = n * field_elem_size(f);

    *s = (struct sharing){ .field = f, .n = n, .k = k, .z = z };
    if (scheme_shape(scheme, n, k, z, &s->shape, err))
        return -1;
    if (s->shape.uses_points) {
        s->points = malloc(len_bytes);
        if (!s->points)
            return err_errno(err, "no memory for %u points", n);
        if (points)
            memcpy(s->points, points, len_bytes);
        else if (scheme_default_points(f, n, s->points, err)) {
            sharing_free(s);
            return -1;
        }
    }
    if (scheme_matrix(scheme, n, k, z, f, s->points, &s->matrix, err) == 0) {
        s->is_polynomial = is_polynomial(s);
        return 0;
    }
    sharing_free(s);
    return -1;
}

int sharing_new(struct sharing *s, const struct field *f, const struct scheme *scheme, uint32_t n,
                uint32_t k, uint32_t z, const void *points, const bool *draw, struct hagg_err *err)
{
    if (new_as_defined(s, f, scheme, n, k, z, points, err))
        return -1;
    if (systematic_change(&s->matrix, f, &s->shape, s->is_polynomial ? s->points : NULL, draw,
                          &s->drawn, err) == 0)
        return 0;
    sharing_free(s);
    return -1;
}

int sharing_new_prefix(struct sharing *s, const struct field *f, const struct scheme *scheme,
                       uint32_t n, uint32_t k, uint32_t z, const struct hagg_scheme_prefix *prefix,
                       const void *points, struct hagg_err *err)
{
    size_t n_cols = (size_t)prefix->holders * prefix->symbols;
    struct matrix whole;

    if (new_as_defined(s, f, scheme, n, k, z, points, err))
        return -1;
    if (prefix->symbols == s->shape.symbols)
        return 0;
    whole = s->matrix;
    if (matrix_new(&s->matrix, f, (size_t)n * prefix->symbols, n_cols, err)) {
        matrix_free(&whole);
        sharing_free(s);
        return -1;
    }
    for (size_t row = 0; row < s->matrix.rows; row++) {
        size_t from = row / prefix->symbols * s->shape.symbols + row % prefix->symbols;

        memcpy(matrix_at(&s->matrix, row, 0), matrix_at(&whole, from, 0), n_cols * whole.elem_size);
    }
    matrix_free(&whole);
    s->k = prefix->holders;
    s->shape.symbols = prefix->symbols;
    s->shape.randoms = (uint32_t)n_cols - s->shape.parts;
    s->is_polynomial = is_polynomial(s);
    return 0;
}

void sharing_free(struct sharing *s)
{
    free(s->points);
    free(s->drawn);
    matrix_free(&s->matrix);
    *s = (struct sharing){ 0 };
}

uint64_t sharing_part_length(const struct sharing *s, uint64_t length)
{
    return length / s->shape.parts + (length % s->shape.parts != 0);
}

/* Copies the k * symbols rows of the listed holders. */
static int copy_rows(const struct sharing *s, const uint32_t *holders, struct matrix *rows,
                     struct hagg_err *err)
{
    size_t per_share = s->shape.symbols * s->matrix.cols * s->matrix.elem_size;

    if (matrix_new(rows, s->field, (size_t)s->k * s->shape.symbols, s->matrix.cols, err))
        return -1;
    for (uint32_t i = 0; i < s->k; i++)
        memcpy(rows->elems + i * per_share, s->matrix.elems + holders[i] * per_share, per_share);
    return 0;
}

/* The last rows of the inverse of the powers of the points: a drawn share is a listed one, or the
 * value at its point of the polynomial through the listed ones. points are those of the listed
 * holders. */
static int set_drawn_rows(const struct sharing *s, const uint32_t *holders, const void *points,
                          struct matrix *inverse, struct hagg_err *err)
{
    size_t size = s->matrix.elem_size;
    struct lagrange through = { 0 };
    int status = 0;

    for (uint32_t i = 0; i < s->shape.randoms && status == 0; i++) {
        unsigned char *row = matrix_at(inverse, s->shape.parts + i, 0);
        uint32_t place = 0;

        while (place < s->k && holders[place] != s->drawn[i])
            place++;
        if (place < s->k) {
            memset(row, 0, s->k * size);
            hagg_store(row, place, size, 1);
            continue;
        }
        if (through.n == 0)
            status = lagrange_new(&through, s->field, points, s->k, err);
        if (status == 0)
            lagrange_row(&through, s->points + s->drawn[i] * size, row);
    }
    lagrange_free(&through);
    return status;
}

int sharing_inverse(const struct sharing *s, const uint32_t *holders, struct matrix *out,
                    struct hagg_err *err)
{
    size_t size = s->matrix.elem_size;
    unsigned char *points;
    struct matrix rows;
    int status;

    *out = (struct matrix){ 0 };
    if (!s->is_polynomial) {
        if (copy_rows(s, holders, &rows, err))
            return -1;
        status = matrix_inverse(out, s->field, &rows, err);
        matrix_free(&rows);
        return status;
    }
    points = malloc(s->k * size);
    if (!points)
        return err_errno(err, "no memory for %u points", s->k);
    for (uint32_t i = 0; i < s->k; i++)
        memcpy(points + i * size, s->points + holders[i] * size, size);
    status = matrix_vandermonde_inverse(out, s->field, points, s->k, err);
    if (status == 0 && s->drawn && set_drawn_rows(s, holders, points, out, err)) {
        matrix_free(out);
        status = -1;
    }
    free(points);
    return status;
}
