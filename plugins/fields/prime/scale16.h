/*
 * scale16.h - adds a multiple of a vector over a field prime with elements of 1 or 2 bytes, for
 * builds with vectors.
 */
#ifndef SCALE16_H
#define SCALE16_H

#include <string.h>

#include "montgomery16.h"

#if LANES > 1

/* y + m x for words; factor is m R modulo n. */
LANES_INLINE lanes16 scale16_product(const struct prime_ctx *ctx, lanes16 y, lanes16 factor,
                                     lanes16 x, size_t elem_size)
{
    const lanes16 p = lanes16_all((uint16_t)ctx->p);

    x = montgomery16_divide(ctx, x * factor, lanes16_high(x, factor), elem_size);
    if (elem_size == 1)
        return lanes16_raise((x & (uint16_t)ctx->mask) + y - p, p);
    return lanes16_minus(y, p - x, p);
}

/* The same for a vector of elements. */
LANES_INLINE void scale16_vector(const struct prime_ctx *ctx, void *out, const void *a,
                                 lanes16 factor, size_t elem_size)
{
    lanes16 x = (lanes16)lanes_load(a), y = (lanes16)lanes_load(out);

    if (elem_size == 1)
        y = scale16_product(ctx, y & 0xff, factor, x & 0xff, 1) |
            scale16_product(ctx, y >> 8, factor, x >> 8, 1) << 8;
    else
        y = scale16_product(ctx, y, factor, x, 2);
    lanes_store(out, (lanes)y);
}

LANES_INLINE void scale16_vectors(const struct prime_ctx *ctx, unsigned char *out,
                                  const unsigned char *a, uint32_t scaled, size_t n,
                                  size_t elem_size)
{
    const lanes16 factor = lanes16_all((uint16_t)scaled);
    const size_t rest = n * elem_size % sizeof(lanes), whole = n * elem_size - rest;
    const struct prime_ctx local = *ctx; /* which no output can overlap */
    unsigned char last_out[sizeof(lanes)] = { 0 }, last_a[sizeof(lanes)] = { 0 };

    for (size_t at = 0; at < whole; at += sizeof(lanes))
        scale16_vector(&local, out + at, a + at, factor, elem_size);
    if (rest > 0) {
        memcpy(last_a, a + whole, rest);
        memcpy(last_out, out + whole, rest);
        scale16_vector(&local, last_out, last_a, factor, elem_size);
        memcpy(out + whole, last_out, rest);
    }
}

/* scale_add of hagg/plugin.h. */
static void scale16_add(const struct prime_ctx *ctx, void *out, uint64_t c, const void *a, size_t n)
{
    if (ctx->elem_size == 1)
        scale16_vectors(ctx, out, a, montgomery16_enter(ctx, c), n, 1);
    else
        scale16_vectors(ctx, out, a, montgomery16_enter(ctx, c), n, 2);
}

#endif

#endif
