/*
 * prime.h - the context of a field prime.
 */
#ifndef PRIME_H
#define PRIME_H

#include <hagg/kernels.h>

#include "montgomery.h"

/* Larger than the number of products that mat_apply adds before it reduces their sum. */
#define PRIME_INSTEAD_OF_2 257

struct prime_ctx {
    enum hagg_isa isa; /* first, for hagg/kernels.h */
    uint64_t p;
    /* Montgomery reduction needs an odd modulus. For p = 2 it is PRIME_INSTEAD_OF_2: a sum of
     * products of bits is then an exact integer, and the mask keeps its parity. */
    struct montgomery mont;
    uint64_t mask, mask16; /* of an element, and of two elements of a byte */
    size_t elem_size;      /* the smallest of 1, 2, 4, 8 bytes into which p - 1 fits */
    size_t group;          /* this number of products plus 2^32 is below 2^64; 0 for elem_size 8 */
    uint32_t fold16;       /* the factors of mat16_fold, for elem_size 2 */
};

#endif
