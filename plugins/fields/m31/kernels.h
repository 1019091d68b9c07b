/*
 * The vector functions of m31, built once for every instruction set. Each has the contract of its
 * namesake in hagg/plugin.h.
 */
#ifndef M31_KERNELS_H
#define M31_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#define M31_P     UINT32_C(0x7fffffff) /* 2^31 - 1 */
#define M31_BYTES sizeof(uint32_t)

struct m31_kernels {
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

extern const struct m31_kernels m31_kernels_portable;
#if defined(__x86_64__)
extern const struct m31_kernels m31_kernels_avx2;
extern const struct m31_kernels m31_kernels_avx512;
#endif

/* The product of two elements: below 2^62, so folding once leaves less than 2p. */
static inline uint32_t m31_mul(uint32_t a, uint32_t b)
{
    uint64_t product = (uint64_t)a * b;
    uint32_t over = (uint32_t)(product & M31_P) + (uint32_t)(product >> 31) - M31_P;

    return over + (M31_P & -(over >> 31));
}

#endif
