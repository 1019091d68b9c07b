/*
 * hiding.h - checks on its matrix that a sharing hides its secret from a number of holders.
 */
#ifndef HAGG_HIDING_H
#define HAGG_HIDING_H

#include "sharing/sharing.h"

/* True if the random vectors have the factors w, w a, w a^2, .. at the holder with point a, where w
 * is not zero and all points are different: a Vandermonde matrix with scaled rows. So any holders
 * that are not more than the random vectors see uniform values. */
bool hiding_by_points(const struct sharing *s);

/* 1: these t holders together learn nothing about the secret; 0: they do; -1: failure. */
int hiding_from_set(const struct sharing *s, const uint32_t *chosen, uint32_t t,
                    struct hagg_err *err);

/* 1: no t holders learn anything about the secret; 0: some do, or there are too many sets of t
 * holders to check; -1: failure. */
int hiding_from(const struct sharing *s, uint32_t t, struct hagg_err *err);

#endif
