/*
 * m31.h - the order of the field m31, and its product.
 */
#ifndef M31_H
#define M31_H

#include <stdint.h>

#define M31_P     UINT32_C(0x7fffffff) /* 2^31 - 1 */
#define M31_BYTES sizeof(uint32_t)

/* Returns the element congruent to a number below 2^62 - 1. Folding it once leaves less than 2p. */
static inline uint32_t m31_reduce(uint64_t a)
{
    uint32_t over = (uint32_t)(a & M31_P) + (uint32_t)(a >> 31) - M31_P;

    return over + (M31_P & -(over >> 31));
}

#endif
