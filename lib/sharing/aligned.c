#include "sharing/aligned.h"

#include <stdlib.h>
#include <string.h>

#include "sharing/systematic.h"

/* The points of a block, in one array: holders, others, parts. */
static unsigned char *list_points(const struct aligned *a, const uint32_t *holders,
                                  uint32_t n_holders, uint32_t first, uint32_t end)
{
    size_t size = field_elem_size(a->field);
    unsigned char *points = calloc((size_t)a->n + (end - first), size);
    uint32_t next = 0, n_others = 0;

    if (!points)
        return NULL;
    for (uint32_t i = 0; i < a->n; i++) {
        bool uses = next < n_holders && holders[next] == i;
        uint32_t to = uses ? next++ : n_holders + n_others++;

        memcpy(points + to * size, a->points + i * size, size);
    }
    for (uint32_t segment = first; segment < end; segment++)
        hagg_store(points, a->n + (segment - first), size, segment);
    return points;
}

int aligned_block(const struct aligned *a, const struct scheme *scheme, const uint32_t *holders,
                  uint32_t n_holders, uint32_t first, uint32_t end, const bool *draw,
                  struct sharing *s, struct hagg_err *err)
{
    size_t size = field_elem_size(a->field);
    unsigned char *points = list_points(a, holders, n_holders, first, end);
    struct hagg_scheme_block block = {
        .n_holders = n_holders,
        .n_others = a->n - n_holders,
        .n_parts = end - first,
        .n_randoms = a->z,
        .holders = points,
    };

    *s = (struct sharing){
        .field = a->field,
        .n = n_holders,
        .k = end - first + a->z,
        .z = a->z,
        .shape = { .parts = end - first, .randoms = a->z, .symbols = 1, .uses_points = 1 },
        .points = points,
    };
    if (!points)
        return err_errno(err, "no memory for the points of %u holders", a->n);
    block.others = points + n_holders * size;
    block.parts = points + a->n * size;
    if (scheme_block(scheme, &block, a->field, &s->matrix, err) == 0 &&
        systematic_change(&s->matrix, a->field, &s->shape, NULL, draw, &s->drawn, err) == 0)
        return 0;
    sharing_free(s);
    return -1;
}

/* Writes a row of a matrix with a column for each holder: the value at x, from those of the basis.
 * scratch has room for the factors. */
static void set_row(const struct aligned_basis *b, struct matrix *m, size_t row, const void *x,
                    unsigned char *scratch)
{
    lagrange_row(&b->lagrange, x, scratch);
    for (size_t i = 0; i < b->lagrange.n; i++)
        memcpy(matrix_at(m, row, b->holders[i]), scratch + i * m->elem_size, m->elem_size);
}

/* The basis: the first k holders that are not left out. Returns how many are left in all. */
static uint32_t choose_holders(struct aligned_basis *b, uint32_t k, const bool *left_out)
{
    uint32_t n_left = 0;

    for (uint32_t i = 0; i < b->n; i++)
        if (!left_out[i] && n_left++ < k)
            b->holders[n_left - 1] = i;
    return n_left;
}

static void fill_checks(struct aligned_basis *b, const unsigned char *points, const bool *left_out,
                        unsigned char *scratch)
{
    static const unsigned char zero[8];
    size_t size = b->checks.elem_size, row = 0, next = 0;
    unsigned char one[8] = { 0 };

    hagg_store(one, 0, size, 1);
    for (uint32_t i = 0; i < b->n; i++) {
        if (next < b->lagrange.n && b->holders[next] == i)
            next++;
        else if (!left_out[i]) {
            set_row(b, &b->checks, row, points + i * size, scratch);
            field_sub(b->lagrange.field, matrix_at(&b->checks, row++, i), zero, one, 1);
        }
    }
}

int aligned_basis_new(struct aligned_basis *b, const struct field *f, const void *points,
                      uint32_t n, uint32_t k, const bool *left_out, struct hagg_err *err)
{
    size_t size = field_elem_size(f);
    unsigned char *chosen = calloc((size_t)k + 1, size), *scratch = calloc((size_t)k + 1, size);
    uint32_t n_left = 0;
    int status = -1;

    *b = (struct aligned_basis){ .n = n };
    b->holders = calloc((size_t)k + 1, sizeof *b->holders);
    if (!b->holders || !chosen || !scratch) {
        err_errno(err, "no memory to decode %u sums", n);
        goto out;
    }
    n_left = choose_holders(b, k, left_out);
    if (n_left < k) {
        err_set(err, HAGG_E_TOO_FEW, "only %u of the sums are left, but %u are needed", n_left, k);
        goto out;
    }
    for (uint32_t i = 0; i < k; i++)
        memcpy(chosen + i * size, (const unsigned char *)points + b->holders[i] * size, size);
    if (lagrange_new(&b->lagrange, f, chosen, k, err) == 0 &&
        matrix_new(&b->checks, f, n_left - k, n, err) == 0) {
        fill_checks(b, points, left_out, scratch);
        status = 0;
    }
out:
    if (status)
        aligned_basis_free(b);
    free(chosen);
    free(scratch);
    return status;
}

void aligned_basis_free(struct aligned_basis *b)
{
    lagrange_free(&b->lagrange);
    matrix_free(&b->checks);
    free(b->holders);
    *b = (struct aligned_basis){ 0 };
}

int aligned_combine(struct combine *c, const struct aligned_basis *b, uint32_t first, uint32_t end,
                    struct hagg_err *err)
{
    const struct field *f = b->lagrange.field;
    unsigned char *scratch = calloc(b->lagrange.n + 1, field_elem_size(f)), x[8] = { 0 };
    struct matrix *m = &c->matrix;
    int status;

    *c = (struct combine){ .n_parts = end - first, .n_surplus = b->checks.rows };
    status = scratch ? matrix_new(m, f, c->n_parts + c->n_surplus, b->n, err)
                     : err_errno(err, "no memory to decode %u sums", b->n);
    for (uint32_t segment = first; segment < end && status == 0; segment++) {
        hagg_store(x, 0, m->elem_size, segment);
        set_row(b, m, segment - first, x, scratch);
    }
    if (status == 0 && c->n_surplus > 0)
        memcpy(matrix_at(m, c->n_parts, 0), b->checks.elems, c->n_surplus * b->n * m->elem_size);
    free(scratch);
    return status;
}

int aligned_factors(struct matrix *m, const struct lagrange *basis, const uint32_t *places,
                    uint32_t n, uint32_t first, uint32_t end, struct hagg_err *err)
{
    size_t size = field_elem_size(basis->field);
    unsigned char *row = calloc(basis->n + 1, size), x[8] = { 0 };
    int status = row ? matrix_new(m, basis->field, end - first, n, err)
                     : err_errno(err, "no memory to decode %zu sums", basis->n);

    for (uint32_t segment = first; segment < end && status == 0; segment++) {
        hagg_store(x, 0, size, segment);
        lagrange_row(basis, x, row);
        for (uint32_t i = 0; i < n; i++)
            memcpy(matrix_at(m, segment - first, i), row + places[i] * size, size);
    }
    free(row);
    return status;
}
