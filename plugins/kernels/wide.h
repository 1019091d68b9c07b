/*
 * wide.h - the 128-bit product of two 64-bit integers, in constant time.
 */
#ifndef WIDE_H
#define WIDE_H

#include <stdint.h>

struct wide {
    uint64_t low;
    uint64_t high;
};

static inline struct wide wide_mul(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    unsigned __int128 product = (unsigned __int128)a * b;

    return (struct wide){ (uint64_t)product, (uint64_t)(product >> 64) };
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32;
    uint64_t b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t mid = a1 * b0 + (low >> 32);
    uint64_t mid2 = a0 * b1 + (uint32_t)mid;

    return (struct wide){ mid2 << 32 | (uint32_t)low, a1 * b1 + (mid >> 32) + (mid2 >> 32) };
#endif
}

#endif
