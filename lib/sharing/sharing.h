/*
 * sharing.h - shares vectors with a given scheme, (n, k, z) and points.
 *
 * These determine a matrix. For every scheme, encoding multiplies by it and decoding by an inverse.
 * The random vectors are symbols of shares, which are drawn instead of computed: systematic.h.
 */
#ifndef HAGG_SHARING_H
#define HAGG_SHARING_H

#include <stdbool.h>

#include "sharing/matrix.h"
#include "base/parallel.h"
#include "crypto/random.h"
#include "sharing/scheme.h"

struct sharing {
    const struct field *field;
    uint32_t n, k, z;
    struct hagg_scheme_shape shape;
    unsigned char *points; /* n packed elements, or NULL if the scheme uses none */
    bool is_polynomial;    /* True if shares are values of a polynomial of degree below k. */
    struct matrix matrix;  /* n * symbols rows; columns of the parts, then of the drawn symbols */
    /* The rows that are drawn, in the order of their columns: unit vectors. NULL if there are none,
     * or if the scheme has no such rows; then the columns are those of random vectors. */
    uint32_t *drawn;
};

/* points has n packed elements, which are copied; NULL means 1 .. n. Shares of holders with draw[i]
 * are drawn, if possible, rather than those of others; draw has n entries or is NULL, for the first
 * holders. The field must outlive the sharing. */
int sharing_new(struct sharing *s, const struct field *f, const struct scheme *scheme, uint32_t n,
                uint32_t k, uint32_t z, const void *points, const bool *draw, struct hagg_err *err);

/* Some shares of a sharing, or prefixes of them, to be decoded. */
struct sharing_part {
    uint32_t n, k, z;
    const struct hagg_scheme_prefix *prefix; /* one of scheme_prefixes; NULL for whole shares */
    const uint32_t *holders;                 /* their indices in the sharing */
    uint32_t n_holders;
    const void *points; /* of these holders, packed elements; NULL means 1 .. n for all */
};

/* Makes the sharing that consists of these shares only, in this order: its n is their number, and
 * its k the number of holders that the prefix needs. Nothing is drawn. */
int sharing_new_part(struct sharing *s, const struct field *f, const struct scheme *scheme,
                     const struct sharing_part *part, struct hagg_err *err);

void sharing_free(struct sharing *s);

/* Returns the number of elements of one part of a vector of the given length, rounded up. */
uint64_t sharing_part_length(const struct sharing *s, uint64_t length);

/* Receives the shares, n columns at a time: row u * symbols + s has the next n elements of symbol s
 * of share u. Rows are valid during the call only and are wiped later. */
struct sharing_sink {
    int (*write)(struct sharing_sink *sink, void *const *rows, size_t n, struct hagg_err *err);
};

/* Shares a vector whose parts, of part_length elements each, are consecutive in parts. pool may be
 * NULL.
 *
 * seeds may be NULL. Otherwise it has n entries: the seed of a holder whose share is the expansion
 * of this seed (expand.h), or NULL. The elements of a share are counted as in its payload: column
 * by column, in all blocks, and in each column symbol by symbol. HAGG_E_MISMATCH if not all symbols
 * of such a holder are drawn. */
int sharing_split(const struct sharing *s, const void *parts, size_t part_length,
                  const unsigned char *const *seeds, struct random *random, struct parallel *pool,
                  struct sharing_sink *sink, struct hagg_err *err);

/* Shares several blocks, one after the other, each with a sharing of its own and with parts of
 * part_length elements. parts has the parts of all blocks, block by block. All sharings have the
 * same field, n, symbols and number of random vectors. n_blocks is at least 1. */
int sharing_split_blocks(const struct sharing *const *blocks, size_t n_blocks, const void *parts,
                         size_t part_length, const unsigned char *const *seeds,
                         struct random *random, struct parallel *pool, struct sharing_sink *sink,
                         struct hagg_err *err);

/* out is a new matrix that maps the symbols of the k listed holders, the first ones if holders is
 * NULL, to the parts followed by the
 * drawn symbols, or random vectors. HAGG_E_MISMATCH if the symbols do not determine all of these;
 * they do in any scheme in which k shares have as many symbols as there are parts and random
 * vectors. */
int sharing_inverse(const struct sharing *s, const uint32_t *holders, struct matrix *out,
                    struct hagg_err *err);

#endif
