/*
 * aligned.h - aligned sharing: clients with different holders and part counts, one sum per holder.
 * docs/aligned.md has the construction and the proofs.
 *
 * Each holder and each segment of the vectors has a point. A client's block is a polynomial that
 * equals its segments at their points and is zero at the holders that the client does not use. All
 * blocks, and so all sums, have a degree below k, so any k of the n holders decode.
 */
#ifndef HAGG_ALIGNED_H
#define HAGG_ALIGNED_H

#include "sharing/blocks.h"
#include "sharing/combine.h"
#include "sharing/lagrange.h"

/* All holders in use, in ascending order of their numbers. */
struct aligned {
    const struct field *field;
    uint32_t n_segments;
    uint32_t n, k, z;
    const unsigned char *points; /* n packed elements */
};

/* Returns the point of the holder with this number, from 1: the elements before it are the points
 * of the segments. */
static inline uint64_t aligned_point(uint32_t n_segments, uint32_t number)
{
    return (uint64_t)n_segments + number - 1;
}

/* Makes the sharing of segments first .. end - 1 of a client that uses the given holders, indices
 * in ascending order. Its parts are the segments and its shares are the values of these holders.
 * draw, as in sharing_new, has an entry for each of them, or is NULL. */
int aligned_block(const struct aligned *a, const struct scheme *scheme, const uint32_t *holders,
                  uint32_t n_holders, uint32_t first, uint32_t end, const bool *draw,
                  struct sharing *s, struct hagg_err *err);

/* k holders whose values decode a sum, and how they predict the values of others. Initialise to all
 * zero. */
struct aligned_basis {
    uint32_t n;               /* holders, of which some may be left out */
    uint32_t *holders;        /* the k of the basis: indices, ascending */
    struct lagrange lagrange; /* through their points */
    struct matrix checks;     /* a row for each surplus holder, as in struct combine */
};

/* points has n packed elements and left_out n entries. HAGG_E_TOO_FEW if fewer than k remain. */
int aligned_basis_new(struct aligned_basis *b, const struct field *f, const void *points,
                      uint32_t n, uint32_t k, const bool *left_out, struct hagg_err *err);

void aligned_basis_free(struct aligned_basis *b);

/* Makes the matrix that decodes segments first .. end - 1 of a sum from the values of the holders,
 * in an interval that all of them send one value for, and checks the surplus ones. */
int aligned_combine(struct combine *c, const struct aligned_basis *b, uint32_t first, uint32_t end,
                    struct hagg_err *err);

/* Makes the matrix of the factors with which the values of some holders count in segments first ..
 * end - 1 of a sum: a row for each segment, and a column for each of the n holders. The sum is
 * decoded from the values at the points of basis; places are those of the n holders among them. */
int aligned_factors(struct matrix *m, const struct lagrange *basis, const uint32_t *places,
                    uint32_t n, uint32_t first, uint32_t end, struct hagg_err *err);

#endif
