#include "sharing/aligned.h"

#include <stdlib.h>
#include <string.h>

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
                  uint32_t n_holders, uint32_t first, uint32_t end, struct sharing *s,
                  struct hagg_err *err)
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
    if (scheme_block(scheme, &block, a->field, &s->matrix, err) == 0)
        return 0;
    sharing_free(s);
    return -1;
}

/* Writes a row of the matrix: the value at x, from those of the basis. */
static void add_row(struct combine *c, size_t row, const struct lagrange *l, const uint32_t *basis,
                    const void *x, unsigned char *scratch)
{
    lagrange_row(l, x, scratch);
    for (size_t i = 0; i < l->n; i++)
        memcpy(matrix_at(&c->matrix, row, basis[i]), scratch + i * c->matrix.elem_size,
               c->matrix.elem_size);
}

/* The basis: the first k holders that are not left out. Returns how many are left in all. */
static uint32_t choose_basis(uint32_t n, uint32_t k, const bool *left_out, uint32_t *basis)
{
    uint32_t n_left = 0;

    for (uint32_t i = 0; i < n; i++)
        if (!left_out[i] && n_left++ < k)
            basis[n_left - 1] = i;
    return n_left;
}

static void fill(struct combine *c, const struct lagrange *l, const unsigned char *points,
                 uint32_t n, const uint32_t *basis, uint32_t first, uint32_t end,
                 const bool *left_out, unsigned char *scratch)
{
    static const unsigned char zero[8];
    size_t size = c->matrix.elem_size, row = 0;
    unsigned char x[8] = { 0 }, one[8] = { 0 };
    uint32_t next = 0;

    hagg_store(one, 0, size, 1);
    for (uint32_t segment = first; segment < end; segment++) {
        hagg_store(x, 0, size, segment);
        add_row(c, row++, l, basis, x, scratch);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (next < l->n && basis[next] == i)
            next++;
        else if (!left_out[i]) {
            add_row(c, row, l, basis, points + i * size, scratch);
            field_sub(l->field, matrix_at(&c->matrix, row++, i), zero, one, 1);
        }
    }
}

int aligned_combine(struct combine *c, const struct field *f, const void *points, uint32_t n,
                    uint32_t k, uint32_t first, uint32_t end, const bool *left_out,
                    struct hagg_err *err)
{
    size_t size = field_elem_size(f);
    uint32_t *basis = calloc((size_t)k + 1, sizeof *basis);
    unsigned char *chosen = calloc((size_t)k + 1, size), *scratch = calloc((size_t)k + 1, size);
    struct lagrange l = { 0 };
    uint32_t n_left = 0;
    int status = -1;

    *c = (struct combine){ .n_parts = end - first };
    if (!basis || !chosen || !scratch) {
        err_errno(err, "no memory to decode %u sums", n);
        goto out;
    }
    n_left = choose_basis(n, k, left_out, basis);
    if (n_left < k) {
        err_set(err, HAGG_E_TOO_FEW, "only %u of the sums are left, but %u are needed", n_left, k);
        goto out;
    }
    for (uint32_t i = 0; i < k; i++)
        memcpy(chosen + i * size, (const unsigned char *)points + basis[i] * size, size);
    c->n_surplus = n_left - k;
    if (lagrange_new(&l, f, chosen, k, err) == 0 &&
        matrix_new(&c->matrix, f, c->n_parts + c->n_surplus, n, err) == 0) {
        fill(c, &l, points, n, basis, first, end, left_out, scratch);
        status = 0;
    }
out:
    lagrange_free(&l);
    free(basis);
    free(chosen);
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
