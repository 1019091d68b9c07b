#include "sharing/lagrange.h"

#include <stdlib.h>
#include <string.h>

int lagrange_new(struct lagrange *l, const struct field *f, const void *points, size_t n,
                 struct hagg_err *err)
{
    size_t size = field_elem_size(f);

    *l = (struct lagrange){ .field = f, .n = n };
    l->points = calloc(n + 1, size);
    l->weights = calloc(n + 1, size);
    if (!l->points || !l->weights) {
        lagrange_free(l);
        return err_errno(err, "no memory for %zu points", n);
    }
    if (n > 0)
        memcpy(l->points, points, n * size);
    for (size_t i = 0; i < n; i++) {
        unsigned char *weight = l->weights + i * size, difference[8];

        hagg_store(weight, 0, size, 1);
        for (size_t j = 0; j < n; j++) {
            if (j == i)
                continue;
            field_sub(f, difference, l->points + i * size, l->points + j * size, 1);
            field_mul(f, weight, weight, difference);
        }
        if (field_inv(f, weight, weight)) {
            lagrange_free(l);
            return err_set(err, HAGG_E_MISMATCH, "two points are equal");
        }
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
