/*
 * montgomery16.h - Montgomery reduction with R = 2^16 in lanes of 16 bits, for builds with vectors.
 */
#ifndef MONTGOMERY16_H
#define MONTGOMERY16_H

#include "lanes16.h"
#include "prime.h"

#if LANES > 1

/* Returns m R modulo n, n = ctx->mont.n. */
static uint32_t montgomery16_enter(const struct prime_ctx *ctx, uint64_t m)
{
    const struct montgomery *mont = &ctx->mont;

    return (uint32_t)montgomery_mul(mont, montgomery_enter(mont, m), UINT64_C(1) << 16);
}

/* The Montgomery step for R high + low, where high is below n. */
LANES_INLINE lanes16 montgomery16_divide(const struct prime_ctx *ctx, lanes16 low, lanes16 high,
                                         size_t elem_size)
{
    const lanes16 n = lanes16_all((uint16_t)ctx->mont.n);
    const lanes16 inverse = lanes16_all((uint16_t)ctx->mont.inverse);
    lanes16 taken = lanes16_high(low * inverse, n);

    return elem_size == 1 ? lanes16_raise(high - taken, n) : lanes16_minus(high, taken, n);
}

#endif

#endif
