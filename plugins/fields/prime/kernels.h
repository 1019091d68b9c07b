/*
 * kernels.h - the context of a field prime, and its functions, built once for every instruction
 * set.
 *
 * The contracts are those of hagg/plugin.h.
 */
#ifndef PRIME_KERNELS_H
#define PRIME_KERNELS_H

#include <hagg/cpu.h>
#include <hagg/plugin.h>

#include "montgomery.h"

/* More than the bits that mat_apply adds before it reduces their sum. */
#define PRIME_INSTEAD_OF_2 257

struct prime_ctx {
    uint64_t p;
    /* Montgomery's reduction wants an odd modulus. For p = 2 it is PRIME_INSTEAD_OF_2, so that a
     * sum of products of bits comes out as an integer, of which the mask keeps the parity. */
    struct montgomery mont;
    uint64_t mask;
    size_t elem_size; /* the least of 1, 2, 4, 8 bytes that holds p - 1 */
    size_t group;     /* so many products and 2^32 together are below 2^64; 0 for elem_size 8 */
    enum hagg_isa isa;
};

struct prime_kernels {
    void (*add)(const void *ctx, void *out, const void *a, const void *b, size_t n);
    void (*sub)(const void *ctx, void *out, const void *a, const void *b, size_t n);
    void (*scale_add)(const void *ctx, void *out, const void *c, const void *a, size_t n);
    size_t (*check)(const void *ctx, const void *a, size_t n);
    size_t (*sample)(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                     size_t *used);
    size_t (*from_int)(const void *ctx, void *out, const int64_t *in, size_t n);
    void (*to_int)(const void *ctx, int64_t *out, const void *in, size_t n);
    void (*mat_apply)(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                      size_t n_in, const void *matrix, size_t n);
};

extern const struct prime_kernels prime_kernels_portable;
extern const struct prime_kernels prime_kernels_avx2;
extern const struct prime_kernels prime_kernels_avx512;

#endif
