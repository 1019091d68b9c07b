#include "sharing/lagrange.h"

#include <stdlib.h>
#include <string.h>

static int allocate(struct lagrange *l, const struct field *f, size_t n, struct hagg_err *err)
{
    size_t size = field_elem_size(f);

    *l = (struct lagrange){ .field = f, .n = n };
    l->points = calloc(n + 1, size);
    l->weights = calloc(n + 1, size);
    if (l->points && l->weights)
        return 0;
    lagrange_free(l);
    return err_errno(err, "no memory for %zu points", n);
}

/* Multiplies the weight of point i by its difference to another point. */
static void multiply_difference(const struct lagrange *l, size_t i, const unsigned char *other)
{
    size_t size = field_elem_size(l->field);
    unsigned char *weight = l->weights + i * size, difference[8];

    field_sub(l->field, difference, l->points + i * size, other, 1);
    field_mul(l->field, weight, weight, difference);
}

int lagrange_new(struct lagrange *l, const struct field *f, const void *points, size_t n,
                 struct hagg_err *err)
{
    size_t size = field_elem_size(f);
    unsigned char *scratch = calloc(n + 1, size);
    int status;

    *l = (struct lagrange){ 0 };
    status = scratch ? allocate(l, f, n, err) : err_errno(err, "no memory for %zu points", n);
    if (status == 0 && n > 0)
        memcpy(l->points, points, n * size);
    for (size_t i = 0; i < l->n; i++) {
        hagg_store(l->weights, i, size, 1);
        for (size_t j = 0; j < n; j++)
            if (j != i)
                multiply_difference(l, i, l->points + j * size);
    }
    if (status == 0 && field_inv_all(f, l->weights, n, scratch)) {
        lagrange_free(l);
        status = err_set(err, HAGG_E_MISMATCH, "two points are equal");
    }
    free(scratch);
    return status;
}

int lagrange_without(struct lagrange *l, const struct lagrange *whole, const uint32_t *without,
                     size_t n_without, struct hagg_err *err)
{
    size_t size = field_elem_size(whole->field), n = 0, next = 0;

    if (allocate(l, whole->field, whole->n - n_without, err))
        return -1;
    for (size_t i = 0; i < whole->n; i++) {
        if (next < n_without && without[next] == i) {
            next++;
            continue;
        }
        memcpy(l->points + n * size, whole->points + i * size, size);
        memcpy(l->weights + n * size, whole->weights + i * size, size);
        for (size_t j = 0; j < n_without; j++)
            multiply_difference(l, n, whole->points + without[j] * size);
        n++;
    }
    return 0;
}

/* The factor of value i is its weight times the product of the other differences x - p. Products of
 * the differences before i, and after it, avoid divisions, also where x is one of the points. */
void lagrange_row(const struct lagrange *l, const void *x, void *row)
{
    const struct field *f = l->field;
    size_t size = field_elem_size(f);
    unsigned char *to = row, before[8] = { 0 }, difference[8];

    hagg_store(before, 0, size, 1);
    for (size_t i = 0; i < l->n; i++) {
        field_mul(f, to + i * size, l->weights + i * size, before);
        field_sub(f, difference, x, l->points + i * size, 1);
        field_mul(f, before, before, difference);
    }
    memset(before, 0, sizeof before);
    hagg_store(before, 0, size, 1);
    for (size_t i = l->n; i-- > 0;) {
        field_mul(f, to + i * size, to + i * size, before);
        field_sub(f, difference, x, l->points + i * size, 1);
        field_mul(f, before, before, difference);
    }
}

void lagrange_free(struct lagrange *l)
{
    free(l->points);
    free(l->weights);
    *l = (struct lagrange){ 0 };
}
