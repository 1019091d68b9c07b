/*
 * scheme.h - a secret-sharing scheme, loaded from a plugin: a public matrix for given (n, k, z) and
 * points.
 *
 * The shares of some schemes have prefixes: if more than k holders decode, the first symbols of
 * each of their shares are enough.
 */
#ifndef HAGG_SCHEME_H
#define HAGG_SCHEME_H

#include <stdbool.h>

#include "sharing/field.h"
#include "sharing/matrix.h"
#include "header.h"
#include "spec.h"

struct scheme {
    struct plugin plugin;
    struct hagg_scheme ops;
    struct spec spec;          /* its name and parameters */
    char name[LIMIT_SPEC + 1]; /* with parameters: equal schemes have equal names */
};

/* name may have parameters, "NAME:KEY=VALUE,...". HAGG_E_USAGE if it is not valid; HAGG_E_SYSTEM if
 * the plugin cannot be loaded. */
struct scheme *scheme_open(const char *name, struct hagg_err *err);

/* s may be NULL. */
void scheme_free(struct scheme *s);

/* Most elements of the matrix of a scheme: 1 GiB of the largest elements. A plan or a record of a
 * few bytes could otherwise ask for 65535 x 65535 of them. */
#define SCHEME_MAX_ELEMS (1u << 27)

/* Most multiplications to draw or decode shares with several symbols: some ten seconds. With one
 * symbol, matrices of powers or with few entries take far less. */
#define SCHEME_MAX_STEPS (1ull << 32)

/* HAGG_E_USAGE if the scheme does not support (n, k, z). */
int scheme_shape(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                 struct hagg_scheme_shape *shape, struct hagg_err *err);

/* The numbers of holders that the scheme supports, for some (n, k, z). The last one is k, with
 * whole shares; those before it are prefixes, by ascending symbols. */
struct scheme_prefixes {
    struct hagg_scheme_prefix all[HAGG_SCHEME_PREFIXES + 1];
    uint32_t n; /* at least 1 */
};

/* HAGG_E_USAGE if the scheme does not support (n, k, z). shape may be NULL. */
int scheme_prefixes(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                    struct hagg_scheme_shape *shape, struct scheme_prefixes *prefixes,
                    struct hagg_err *err);

/* Returns the prefix that the given number of holders decodes from; NULL if they are too few. */
const struct hagg_scheme_prefix *scheme_prefix_for(const struct scheme_prefixes *p,
                                                   uint32_t n_holders);

/* Returns the prefix with this number of symbols, or NULL. */
const struct hagg_scheme_prefix *scheme_prefix_of(const struct scheme_prefixes *p,
                                                  uint32_t n_symbols);

/* HAGG_E_USAGE if the matrix of this shape would have more elements, or take more steps. */
int scheme_check_size(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z,
                      const struct hagg_scheme_shape *shape, struct hagg_err *err);

/* Writes the points 1 .. n as packed elements. HAGG_E_USAGE if the field has too few elements. */
int scheme_default_points(const struct field *f, uint32_t n, void *points, struct hagg_err *err);

/* m is a new matrix with n * symbols rows and parts + randoms columns. A row has the coefficients
 * of one symbol of a share. points may be NULL if the scheme uses none. */
int scheme_matrix(const struct scheme *s, uint32_t n, uint32_t k, uint32_t z, const struct field *f,
                  const void *points, struct matrix *m, struct hagg_err *err);

/* Returns true if the scheme can be used with protocol aligned. */
bool scheme_aligns(const struct scheme *s);

/* m is a new matrix with a row per holder and a column per part and random vector.
 * HAGG_E_USAGE if the scheme cannot align sharings or refuses the points. */
int scheme_block(const struct scheme *s, const struct hagg_scheme_block *block,
                 const struct field *f, struct matrix *m, struct hagg_err *err);

/* Returns true if holders send these symbols, as in a header: the whole share, a prefix, or what is
 * between two prefixes. A header that lists all symbols is not one of these. */
bool scheme_sends(const struct scheme_prefixes *p, const struct header_symbols *symbols);

/* Returns the symbols that a record has: those of its header, or all of n_symbols. */
struct header_symbols scheme_symbols(const struct header_symbols *of_header, uint32_t n_symbols);

/* Returns the number of elements of a share of a vector of the given length. */
uint64_t scheme_share_length(const struct hagg_scheme_shape *shape, uint64_t length);

#endif
