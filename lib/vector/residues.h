/*
 * residues.h - integers in a public range as elements of a field, and sums of them back.
 *
 * The field represents integers modulo its order, so n integers from lo to hi can be added if
 * n * (hi - lo) is below the order: then every sum from n * lo to n * hi has an element of its own.
 */
#ifndef HAGG_RESIDUES_H
#define HAGG_RESIDUES_H

#include <stdbool.h>

#include "sharing/field.h"

/* Returns true if addition in the field is integer addition while sums fit. */
bool residues_are_integers(const struct field *f);

/* Sets *lo and *hi to n * lo and n * hi, or to the nearest integer that int64_t has. */
void residues_sum(int64_t *lo, int64_t *hi, uint64_t n);

/* Returns true if every sum of n integers from lo to hi has an element of its own. In a field of
 * more than 2^63 elements, such sums must also be integers that field_from_int accepts. */
bool residues_fit(const struct field *f, int64_t lo, int64_t hi, uint64_t n);

/* Returns the largest hi for which sums of n integers from 0 to hi fit; 0 if there is none. */
int64_t residues_most(const struct field *f, uint64_t n);

/* Converts n integers from lo to hi, one of which fits, to elements. Changes the integers. */
void residues_from_int(const struct field *f, void *out, int64_t *ints, size_t n, int64_t lo,
                       int64_t hi);

/* Converts n elements to integers. If one integer from lo to hi fits, an element that represents
 * such an integer is converted to it, and any other element to an integer that is out of the range;
 * otherwise all are converted as field_to_int does. */
void residues_to_int(const struct field *f, int64_t *out, const void *in, size_t n, int64_t lo,
                     int64_t hi);

#endif
