/*
 * kernels.c - arithmetic modulo p = 2^64 - 2^32 + 1, where 2^64 = 2^32 - 1 and 2^96 = -1.
 */
#include <hagg/prime-field.h>

#include "../prime/mat64.h"
#include "../prime/wide.h"
#include "kernels.h"

/* 2^64 modulo p: what a carry out of 64 bits is worth, and 2^64 - p. */
#define CARRY UINT64_C(0xffffffff)

static const size_t elem_size = sizeof(uint64_t);

static uint64_t mul(uint64_t a, uint64_t b, uint64_t p)
{
    struct wide product = wide_mul(a, b);
    uint64_t h0 = (uint32_t)product.high, h1 = product.high >> 32;
    uint64_t x = product.low - h1;
    uint64_t folded = (h0 << 32) - h0;

    x -= CARRY & -(uint64_t)(product.low < h1);
    x += folded;
    x += CARRY & -(uint64_t)(x < folded);
    return x - (p & -(uint64_t)(x >= p));
}

static uint64_t mat64_scale(const void *ctx, uint64_t m)
{
    (void)ctx;
    return m;
}

static uint64_t mat64_shift(const void *ctx, uint64_t m)
{
    (void)ctx;
    return mul(m, UINT64_C(1) << MAT64_LIMB_BITS, GOLDILOCKS_P);
}

/* x + 2^64 h for the lower half h of high. A carry leaves at most 2^64 - 2^33, so making it good
 * does not carry again. */
LANES_INLINE lanes fold(lanes x, lanes high)
{
    const lanes carry = lanes_all(CARRY);
    lanes folded = lanes_mul(high, carry);

    x = lanes_add(x, folded);
    x = lanes_add_if_less(x, carry, x, folded);
    return lanes_wrap(x, lanes_all(GOLDILOCKS_P));
}

LANES_INLINE lanes mat64_reduce(const void *ctx, struct mat64_sum sum)
{
    (void)ctx;
#if defined(__AVX512IFMA__)
    lanes x = lanes_add(sum.low, lanes_shl(sum.high, 52));
    lanes high = lanes_add_if_less(lanes_shr(sum.high, 12), lanes_all(1), x, sum.low);
    lanes top = lanes_shr(high, 32);

    /* high < 2^41; its upper part has the weight 2^96 = -1. */
    x = lanes_add_if_less(lanes_sub(x, top), lanes_all(-CARRY), x, top);
    return fold(x, high);
#else
    /* The sums are below 2^63 each, so mid does not carry. */
    lanes mid = lanes_add(sum.high, lanes_shr(sum.low, 32));

    return fold(lanes_join(sum.low, mid), lanes_shr(mid, 32));
#endif
}

static void add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    hagg_prime_add(GOLDILOCKS_P, elem_size, out, a, b, n);
}

static void sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    hagg_prime_sub(GOLDILOCKS_P, elem_size, out, a, b, n);
}

static const struct blocks_kernel kernel = {
    .word_size = sizeof(uint64_t),
    .entry_size = sizeof(struct mat64_entry),
    .rows = MAT64_ROWS,
    .step = LANES,
    .prepare = mat64_prepare,
    .apply = mat64_apply,
    .add = add,
};

static void mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                      size_t n_in, const void *matrix, size_t n)
{
    blocks_mat_apply(&kernel, ctx, elem_size, out, n_out, in, n_in, matrix, n);
}

static void scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    const uint64_t factor = hagg_load64(c);

    /* Short vectors and narrow lanes are faster one by one. */
    if (n >= 128 && LANES > 2) {
        blocks_scale_add(&kernel, ctx, elem_size, out, c, a, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t x = hagg_load(out, i, elem_size);
        uint64_t y = GOLDILOCKS_P - mul(factor, hagg_load(a, i, elem_size), GOLDILOCKS_P);

        hagg_store(out, i, elem_size, x - y + (GOLDILOCKS_P & -(uint64_t)(x < y)));
    }
}

static int inv(const void *ctx, void *out, const void *a)
{
    (void)ctx;
    return hagg_prime_inv(GOLDILOCKS_P, elem_size, out, a, mul);
}

static size_t check(const void *ctx, const void *a, size_t n)
{
    (void)ctx;
    return hagg_prime_check(GOLDILOCKS_P, elem_size, a, n);
}

static size_t sample(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                     size_t *used)
{
    (void)ctx;
    return hagg_prime_sample(GOLDILOCKS_P, elem_size, out, n, random, n_random, used);
}

static size_t from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    (void)ctx;
    return hagg_prime_from_int(GOLDILOCKS_P, elem_size, out, in, n);
}

static void to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    (void)ctx;
    hagg_prime_to_int(GOLDILOCKS_P, elem_size, out, in, n);
}

const struct goldilocks_kernels HAGG_KERNELS(goldilocks_kernels) = {
    .add = add,
    .sub = sub,
    .scale_add = scale_add,
    .inv = inv,
    .check = check,
    .sample = sample,
    .from_int = from_int,
    .to_int = to_int,
    .mat_apply = mat_apply,
};
