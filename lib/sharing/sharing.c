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

static bool has_point(const unsigned char *points, uint32_t n, uint64_t point, size_t size)
{
    for (uint32_t i = 0; i < n; i++)
        if (hagg_load(points, i, size) == point)
            return true;
    return false;
}

/* Makes the points of all holders: the known ones, and for the others the least that are left. A
 * share does not depend on the points of others, unless these are the usual 1 .. n, which this
 * restores. */
static int complete_points(const struct field *f, const struct sharing_part *part,
                           unsigned char **points, struct hagg_err *err)
{
    size_t size = field_elem_size(f);
    bool *is_known = calloc(part->n, sizeof *is_known);
    uint64_t next = 1;
    int status = 0;

    *points = calloc(part->n, size);
    if (!is_known || !*points)
        status = err_errno(err, "no memory for %u points", part->n);
    for (uint32_t i = 0; i < part->n_holders && status == 0; i++) {
        is_known[part->holders[i]] = true;
        hagg_store(*points, part->holders[i], size, hagg_load(part->points, i, size));
    }
    for (uint32_t u = 0; u < part->n && status == 0; u++) {
        if (is_known[u])
            continue;
        while (has_point(part->points, part->n_holders, next, size))
            next++;
        if (next >= f->info.order)
            status = err_set(err, HAGG_E_USAGE,
                             "field '%s' does not have %u distinct points other than zero", f->spec,
                             part->n);
        hagg_store(*points, u, size, next++);
    }
    free(is_known);
    if (status == 0)
        return 0;
    free(*points);
    *points = NULL;
    return -1;
}

/* Keeps the listed shares, and of these the symbols of the prefix, which depend on the first
 * columns only. */
static int keep_part(struct sharing *s, const struct sharing_part *part, struct hagg_err *err)
{
    const struct hagg_scheme_prefix all = { s->k, s->shape.symbols },
                                    *prefix = part->prefix ? part->prefix : &all;
    size_t size = s->matrix.elem_size, n_cols = s->matrix.cols;
    struct matrix whole = s->matrix;

    if (prefix->symbols < s->shape.symbols)
        n_cols = (size_t)prefix->holders * prefix->symbols;
    s->matrix = (struct matrix){ 0 };
    if (matrix_new(&s->matrix, s->field, (size_t)part->n_holders * prefix->symbols, n_cols, err)) {
        matrix_free(&whole);
        return -1;
    }
    for (size_t row = 0; row < s->matrix.rows; row++) {
        size_t from =
            (size_t)part->holders[row / prefix->symbols] * s->shape.symbols + row % prefix->symbols;

        memcpy(matrix_at(&s->matrix, row, 0), matrix_at(&whole, from, 0), n_cols * size);
    }
    matrix_free(&whole);
    if (s->points) {
        unsigned char *points = calloc(part->n_holders + (size_t)1, size);

        if (!points)
            return err_errno(err, "no memory for %u points", part->n_holders);
        for (uint32_t i = 0; i < part->n_holders; i++)
            memcpy(points + i * size, s->points + part->holders[i] * size, size);
        free(s->points);
        s->points = points;
    }
    s->n = part->n_holders;
    s->k = prefix->holders;
    s->shape.symbols = prefix->symbols;
    s->shape.randoms = (uint32_t)n_cols - s->shape.parts;
    s->is_polynomial = is_polynomial(s);
    return 0;
}

int sharing_new_part(struct sharing *s, const struct field *f, const struct scheme *scheme,
                     const struct sharing_part *part, struct hagg_err *err)
{
    unsigned char *points = NULL;
    int status = part->points ? complete_points(f, part, &points, err) : 0;

    *s = (struct sharing){ 0 };
    if (status == 0)
        status = new_as_defined(s, f, scheme, part->n, part->k, part->z, points, err);
    if (status == 0 && keep_part(s, part, err)) {
        sharing_free(s);
        status = -1;
    }
    free(points);
    return status;
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

static uint32_t holder_at(const uint32_t *holders, uint32_t i)
{
    return holders ? holders[i] : i;
}

/* Copies the k * symbols rows of the listed holders. */
static int copy_rows(const struct sharing *s, const uint32_t *holders, struct matrix *rows,
                     struct hagg_err *err)
{
    size_t per_share = s->shape.symbols * s->matrix.cols * s->matrix.elem_size;

    if (matrix_new(rows, s->field, (size_t)s->k * s->shape.symbols, s->matrix.cols, err))
        return -1;
    for (uint32_t i = 0; i < s->k; i++)
        memcpy(rows->elems + i * per_share, s->matrix.elems + holder_at(holders, i) * per_share,
               per_share);
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

        while (place < s->k && holder_at(holders, place) != s->drawn[i])
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
        memcpy(points + i * size, s->points + holder_at(holders, i) * size, size);
    status = matrix_vandermonde_inverse(out, s->field, points, s->k, err);
    if (status == 0 && s->drawn && set_drawn_rows(s, holders, points, out, err)) {
        matrix_free(out);
        status = -1;
    }
    free(points);
    return status;
}
