/*
 * kernels.c - products modulo p = 2^64 - 2^32 + 1, where 2^64 = 2^32 - 1 and 2^96 = -1.
 */
#include "goldilocks.h"

#define FIELD_P         GOLDILOCKS_P
#define FIELD_ELEM_SIZE GOLDILOCKS_BYTES
#include "prime-kernels.h"

#include "mat64.h"
#include "wide.h"

/* 2^64 modulo p, which equals 2^64 - p: the value of a carry out of 64 bits. */
#define CARRY UINT64_C(0xffffffff)

static uint64_t field_mul(uint64_t a, uint64_t b, uint64_t p)
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
    return field_mul(m, UINT64_C(1) << MAT64_LIMB_BITS, GOLDILOCKS_P);
}

/* x + 2^64 h modulo p, where h is the lower half of high. After a carry the sum is at most 2^64 -
 * 2^33, so adding CARRY does not carry again. */
LANES_INLINE lanes fold(lanes x, lanes high)
{
    const lanes carry = lanes_all(CARRY);
    lanes folded = lanes_mul(high, carry);

    x += folded;
    x = lanes_add_if_less(x, carry, x, folded);
    return lanes_wrap(x, lanes_all(GOLDILOCKS_P));
}

LANES_INLINE lanes mat64_reduce(const void *ctx, struct mat64_sum sum)
{
    (void)ctx;
#if defined(__AVX512IFMA__)
    lanes x = sum.low + (sum.high << 52);
    lanes high = lanes_add_if_less(sum.high >> 12, lanes_all(1), x, sum.low);
    lanes top = high >> 32;

    /* high < 2^41; its upper part has the weight 2^96 = -1. */
    x = lanes_add_if_less(x - top, lanes_all(-CARRY), x, top);
    return fold(x, high);
#else
    /* The sums are below 2^63 each, so mid does not carry. */
    lanes mid = sum.high + (sum.low >> 32);

    return fold(lanes_join(sum.low, mid), mid >> 32);
#endif
}

static void field_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                            size_t n_in, const void *matrix, size_t n)
{
    blocks_mat_apply(&mat64_kernel, ctx, GOLDILOCKS_BYTES, out, n_out, in, n_in, matrix, n);
}

static void field_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    const uint64_t factor = hagg_load64(c);

    /* For short vectors and narrow lanes, one element at a time is faster. */
    if (n >= 128 && LANES > 2) {
        blocks_scale_add(&mat64_kernel, ctx, GOLDILOCKS_BYTES, out, c, a, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t x = hagg_load(out, i, GOLDILOCKS_BYTES);
        uint64_t y =
            GOLDILOCKS_P - field_mul(factor, hagg_load(a, i, GOLDILOCKS_BYTES), GOLDILOCKS_P);

        hagg_store(out, i, GOLDILOCKS_BYTES, x - y + (GOLDILOCKS_P & -(uint64_t)(x < y)));
    }
}
