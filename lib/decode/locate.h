/*
 * locate.h - finds wrong values of a polynomial: the Berlekamp-Welch decoder of Reed-Solomon codes,
 * for one position of all shares.
 */
#ifndef HAGG_LOCATE_H
#define HAGG_LOCATE_H

#include <stdbool.h>

#include "sharing/field.h"

/* values are the values at n points of a polynomial of degree below k, except for at most (n - k) /
 * 2 wrong ones; both are packed elements. Marks the wrong ones in wrong, which has n entries.
 * Returns 1; 0 if more values are wrong; -1 on failure. */
int locate_errors(const struct field *f, const void *points, const void *values, uint32_t n,
                  uint32_t k, bool *wrong, struct hagg_err *err);

#endif
