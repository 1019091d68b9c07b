/*
 * prime.h - the context of a field prime.
 */
#ifndef PRIME_H
#define PRIME_H

#include <hagg/kernels.h>

#include "montgomery.h"

/* More than the bits that mat_apply adds before it reduces their sum. */
#define PRIME_INSTEAD_OF_2 257

struct prime_ctx {
    enum hagg_isa isa; /* first, for hagg/kernels.h */
    uint64_t p;
    /* Montgomery's reduction wants an odd modulus. For p = 2 it is PRIME_INSTEAD_OF_2, so that a
     * sum of products of bits comes out as an integer, of which the mask keeps the parity. */
    struct montgomery mont;
    uint64_t mask;
    size_t elem_size; /* the least of 1, 2, 4, 8 bytes that holds p - 1 */
    size_t group;     /* so many products and 2^32 together are below 2^64; 0 for elem_size 8 */
};

#endif
