/*
 * kernels.h - the functions of the field goldilocks, built once for every instruction set.
 *
 * p = 2^64 - 2^32 + 1. The contracts are those of hagg/plugin.h.
 */
#ifndef GOLDILOCKS_KERNELS_H
#define GOLDILOCKS_KERNELS_H

#include <hagg/plugin.h>

#define GOLDILOCKS_P UINT64_C(0xffffffff00000001)

struct goldilocks_kernels {
    void (*add)(const void *ctx, void *out, const void *a, const void *b, size_t n);
    void (*sub)(const void *ctx, void *out, const void *a, const void *b, size_t n);
    void (*scale_add)(const void *ctx, void *out, const void *c, const void *a, size_t n);
    int (*inv)(const void *ctx, void *out, const void *a);
    size_t (*check)(const void *ctx, const void *a, size_t n);
    size_t (*sample)(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                     size_t *used);
    size_t (*from_int)(const void *ctx, void *out, const int64_t *in, size_t n);
    void (*to_int)(const void *ctx, int64_t *out, const void *in, size_t n);
    void (*mat_apply)(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                      size_t n_in, const void *matrix, size_t n);
};

extern const struct goldilocks_kernels goldilocks_kernels_portable;
extern const struct goldilocks_kernels goldilocks_kernels_avx2;
extern const struct goldilocks_kernels goldilocks_kernels_avx512;

#endif
