/*
 * The vector functions of m61, built once for every instruction set. Each has the contract of its
 * namesake in hagg/plugin.h.
 */
#ifndef M61_KERNELS_H
#define M61_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define M61_P     ((UINT64_C(1) << 61) - 1)
#define M61_BYTES sizeof(uint64_t)

struct m61_kernels {
    void (*add)(void *out, const void *a, const void *b, size_t n);
    void (*sub)(void *out, const void *a, const void *b, size_t n);
    void (*scale_add)(void *out, const void *c, const void *a, size_t n);
    size_t (*check)(const void *a, size_t n);
    size_t (*sample)(void *out, size_t n, const void *random, size_t n_random, size_t *used);
    size_t (*from_int)(void *out, const int64_t *in, size_t n);
    void (*to_int)(int64_t *out, const void *in, size_t n);
    void (*mat_apply)(void *const *out, size_t n_out, const void *const *in, size_t n_in,
                      const void *matrix, size_t n);
};

extern const struct m61_kernels m61_kernels_portable;
#if defined(__x86_64__)
extern const struct m61_kernels m61_kernels_avx2;
extern const struct m61_kernels m61_kernels_avx512;
#endif

/* The element congruent to any 64-bit number. */
static inline uint64_t m61_reduce(uint64_t a)
{
    uint64_t over = (a & M61_P) + (a >> 61) - M61_P;

    return over + (M61_P & -(over >> 63));
}

/* a * b + c. The factors are cut into low limbs of 31 bits and high ones of 30; the four products
 * have the weights 1, 2^31 and 2^62 = 2, and all parts of the sum together stay below 2^64. */
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

static inline uint64_t m61_mul(uint64_t a, uint64_t b)
{
    return m61_mul_add(a, b, 0);
}

#endif
