/*
 * sharing.h - one way to share vectors: scheme, (n, k, z), points, and the matrix they give.
 *
 * Encoding and decoding are products with that matrix or with what inverts it, for every scheme.
 */
#ifndef HAGG_SHARING_H
#define HAGG_SHARING_H

#include <stdbool.h>

#include "sharing/matrix.h"
#include "base/parallel.h"
#include "sharing/random.h"
#include "sharing/scheme.h"

struct sharing {
    const struct field *field;
    uint32_t n, k, z;
    struct hagg_scheme_shape shape;
    unsigned char *points; /* n packed elements, or NULL for a scheme without */
    struct matrix matrix;
};

/* points are n packed elements, or NULL for 1 .. n. The field must outlive the sharing. */
int sharing_new(struct sharing *s, const struct field *f, const struct scheme *scheme, uint32_t n,
                uint32_t k, uint32_t z, const void *points, struct hagg_err *err);

void sharing_free(struct sharing *s);

/* Elements of one part of a vector of so many elements. */
uint64_t sharing_part_length(const struct sharing *s, uint64_t length);

/* Takes columns of all shares: row u * symbols + s has the next n elements of symbol s of share u.
 */
struct sharing_sink {
    int (*take)(struct sharing_sink *sink, void *const *rows, size_t n, struct hagg_err *err);
};

/* Shares the vector whose parts lie one after the other in parts, part_length elements each. The
 * pool may be NULL. */
int sharing_split(const struct sharing *s, const void *parts, size_t part_length,
                  struct random *random, struct parallel *pool, struct sharing_sink *sink,
                  struct hagg_err *err);

/* Whether the shares are the values of a polynomial at the points, as in ramp: a Reed-Solomon code.
 */
bool sharing_is_polynomial(const struct sharing *s);

/* A new matrix that gives the parts, then the random vectors, from the symbols of the k holders
 * listed. HAGG_E_MISMATCH when these do not determine them all, which no scheme with as many
 * symbols in k shares as parts and random vectors allows. */
int sharing_inverse(const struct sharing *s, const uint32_t *holders, struct matrix *out,
                    struct hagg_err *err);

#endif
