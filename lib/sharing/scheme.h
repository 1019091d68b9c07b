/*
 * scheme.h - a secret-sharing scheme, from a plugin: a public matrix for given (n, k, z) and
 * points.
 */
#ifndef HAGG_SCHEME_H
#define HAGG_SCHEME_H

#include "sharing/field.h"
#include "sharing/matrix.h"

struct scheme {
    struct plugin plugin;
    struct hagg_scheme ops;
};

/* HAGG_E_USAGE: no valid name; HAGG_E_SYSTEM: no such plugin. */
struct scheme *scheme_open(const char *name, struct hagg_err *err);

/* NULL is fine. */
void scheme_free(struct scheme *s);

/* HAGG_E_USAGE when the scheme has no (n, k, z). */
int scheme_shape(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                 struct hagg_scheme_shape *shape, struct hagg_err *err);

/* The points 1 .. n, n packed elements. HAGG_E_USAGE when the field has too few elements. */
int scheme_default_points(const struct field *f, uint32_t n, void *points, struct hagg_err *err);

/* A new matrix with n * symbols rows of parts + randoms: a row says how one symbol of a share is
 * made. points may be NULL for a scheme without. */
int scheme_matrix(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z, const struct field *f,
                  const void *points, struct matrix *m, struct hagg_err *err);

/* Elements of a share of a vector of so many elements. */
uint64_t scheme_share_length(const struct hagg_scheme_shape *shape, uint64_t length);

#endif
