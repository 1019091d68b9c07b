/*
 * elements.h - converts a user's vector to elements of a field.
 */
#ifndef HAGG_ELEMENTS_H
#define HAGG_ELEMENTS_H

#include "sharing/field.h"
#include "header.h"
#include "crypto/random.h"
#include "vector/vector.h"

struct elements_options {
    struct header_quant quant; /* required for f4 and f8 */
    int64_t lo, hi;            /* bounds of the integers of other types; lo < hi */
    bool declared;             /* They are those of the user, not the largest for the field. */
    struct random *coins;      /* for stochastic rounding */
    bool clip;
};

/* Writes v->n_elems elements to out. Messages name the file and the element. */
int elements_from_vector(const struct field *f, const struct vector *v,
                         const struct elements_options *options, void *out, uint64_t *n_clipped,
                         struct hagg_err *err);

#endif
