/*
 * hiding.h - checks on its matrix that a sharing hides its secret from a number of holders.
 */
#ifndef HAGG_HIDING_H
#define HAGG_HIDING_H

#include "sharing/sharing.h"

/* True if the columns of the drawn shares have the form that polynomials give them: the factor of
 * the drawn share at point d in the share at another point a is v w / (a - d), where v depends on
 * a, w on d, none of them is zero and all points are different. So any holders that are not more
 * than the drawn shares see uniform values. If shares have several symbols, this is checked for
 * each of them, and that it depends on no drawn symbol with another number. */
bool hiding_by_points(const struct sharing *s);

/* Sets *learnt to the number of combinations of parts that these t holders together learn. */
int hiding_learnt(const struct sharing *s, const uint32_t *chosen, uint32_t t, size_t *learnt,
                  struct hagg_err *err);

/* 1: these t holders together learn nothing about the secret; 0: they do; -1: failure. */
int hiding_from_set(const struct sharing *s, const uint32_t *chosen, uint32_t t,
                    struct hagg_err *err);

/* 1: no t holders learn anything about the secret; 0: some do, or there are too many sets of t
 * holders to check; -1: failure. */
int hiding_from(const struct sharing *s, uint32_t t, struct hagg_err *err);

#endif
