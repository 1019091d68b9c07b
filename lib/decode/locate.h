/*
 * locate.h - which values of a polynomial are wrong: decoding of Reed-Solomon codes after Berlekamp
 * and Welch, on one position of all shares.
 */
#ifndef HAGG_LOCATE_H
#define HAGG_LOCATE_H

#include <stdbool.h>

#include "sharing/field.h"

/* values are those of a polynomial of degree below k at n points, packed elements both, except for
 * at most (n - k) / 2 of them. Marks the wrong ones. 1, or 0 when more are wrong than that, or -1.
 */
int locate_errors(const struct field *f, const void *points, const void *values, uint32_t n,
                  uint32_t k, bool *wrong, struct hagg_err *err);

#endif
