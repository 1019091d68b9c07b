/*
 * m61.h - the order of the field m61, and its product.
 */
#ifndef M61_H
#define M61_H

#include <stdint.h>

#define M61_P     ((UINT64_C(1) << 61) - 1)
#define M61_BYTES sizeof(uint64_t)

/* Returns the element congruent to a, which may be any 64-bit number. */
static inline uint64_t m61_reduce(uint64_t a)
{
    uint64_t over = (a & M61_P) + (a >> 61) - M61_P;

    return over + (M61_P & -(over >> 63));
}

/* a * b + c. Each factor is split into a low limb of 31 bits and a high limb of 30 bits. The four
 * products have the weights 1, 2^31, 2^31 and 2^62 = 2, and the sum of all parts is below 2^64. */
static inline uint64_t m61_mul_add(uint64_t a, uint64_t b, uint64_t c)
{
    const uint32_t low = UINT32_C(0x7fffffff);
    uint32_t a0 = (uint32_t)a & low;
    uint32_t a1 = (uint32_t)(a >> 31);
    uint32_t b0 = (uint32_t)b & low;
    uint32_t b1 = (uint32_t)(b >> 31);
    uint64_t middle = (uint64_t)a0 * b1 + (uint64_t)a1 * b0;

    return m61_reduce((uint64_t)a0 * b0 + 2 * ((uint64_t)a1 * b1) + (middle >> 30) +
                      (middle << 34 >> 3) + c);
}

#endif
