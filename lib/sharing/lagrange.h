/*
 * lagrange.h - the value of a polynomial at any point, from its values at given points.
 */
#ifndef HAGG_LAGRANGE_H
#define HAGG_LAGRANGE_H

#include "sharing/field.h"

/* Initialise to all zero. */
struct lagrange {
    const struct field *field;
    size_t n;
    unsigned char *points, *weights; /* n packed elements each */
};

/* The points, packed elements, are copied. HAGG_E_MISMATCH if two of them are equal. n may be 0:
 * then the polynomial is zero. The field must outlive the result. */
int lagrange_new(struct lagrange *l, const struct field *f, const void *points, size_t n,
                 struct hagg_err *err);

/* The same for the points of `whole` without some of them, whose indices are ascending. If these
 * are few, this takes fewer steps than lagrange_new. */
int lagrange_without(struct lagrange *l, const struct lagrange *whole, const uint32_t *without,
                     size_t n_without, struct hagg_err *err);

/* Writes the n factors of the values, whose sum of products is the value at x of the polynomial of
 * degree below n. */
void lagrange_row(const struct lagrange *l, const void *x, void *row);

void lagrange_free(struct lagrange *l);

#endif
