/*
 * systematic.h - a sharing whose random vectors are themselves shares.
 *
 * Let a scheme's matrix be [A | B], with the columns of the parts and of the random vectors, and
 * let D be as many of its rows as there are random vectors, with B_D invertible. Whatever the parts
 * are, the random vectors then determine the symbols of rows D and the other way around. So these
 * symbols are drawn instead, and the others are computed from the parts and from them, with
 * [A - B B_D^-1 A_D | B B_D^-1]. The shares have the same distribution: docs/theory.md, section 2.
 */
#ifndef HAGG_SYSTEMATIC_H
#define HAGG_SYSTEMATIC_H

#include <stdbool.h>

#include "sharing/matrix.h"

/* Replaces the matrix of a scheme by that of the same sharing whose random columns stand for drawn
 * symbols. *drawn is a new array of their rows, in the order of these columns; their rows are unit
 * vectors. It is NULL, and the matrix stays as it is, if there are no random vectors, or if no rows
 * determine them all.
 *
 * Rows are chosen in ascending order, but first those of holders with draw[holder]; draw may be
 * NULL. If the rows are the powers of points, these can be given, all of them different, to make
 * this faster; otherwise points is NULL. HAGG_E_MISMATCH if two drawn points are equal. */
int systematic_change(struct matrix *m, const struct field *f,
                      const struct hagg_scheme_shape *shape, const void *points, const bool *draw,
                      uint32_t **drawn, struct hagg_err *err);

#endif
