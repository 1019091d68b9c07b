/*
 * scale16.h - adds a multiple of a vector over a field prime with elements of 1 or 2 bytes, for
 * builds with vectors.
 */
#ifndef SCALE16_H
#define SCALE16_H

#include <string.h>

#include "montgomery16.h"

#if LANES > 1

/* A factor m of all elements, with f = m 2^16 modulo n.
 *  - words: f, and f / n modulo 2^16, which is the factor in the product's low half that Montgomery
 *    reduction multiplies by n.
 *  - bytes: m, and m 2^16 / n rounded down, which is -f / n modulo 2^16. */
struct scale16_factor {
    lanes16 m, quotient;
};

static struct scale16_factor scale16_factor(const struct prime_ctx *ctx, uint64_t m,
                                            size_t elem_size)
{
    const uint32_t f = montgomery16_enter(ctx, m);
    const uint16_t quotient = (uint16_t)(f * (uint32_t)ctx->mont.inverse);

    if (elem_size == 1)
        return (struct scale16_factor){ lanes16_all((uint16_t)m),
                                        lanes16_all((uint16_t)-quotient) };
    return (struct scale16_factor){ lanes16_all((uint16_t)f), lanes16_all(quotient) };
}

/* y + m x for words. */
LANES_INLINE lanes16 scale16_words(const struct prime_ctx *ctx, lanes16 y, lanes16 x,
                                   struct scale16_factor by)
{
    const lanes16 p = lanes16_all((uint16_t)ctx->p);

    x = lanes16_minus(lanes16_high(x, by.m), lanes16_high(x * by.quotient, p), p);
    return lanes16_minus(y, p - x, p);
}

/* m x modulo p, or p itself, for an x below 2^8: the quotient is rounded down twice, which takes
 * less than 1 + 2^-8. For p = 2, n is 257, the quotient zero, and m x below p. */
LANES_INLINE lanes16 scale16_small(lanes16 x, struct scale16_factor by, lanes16 p)
{
    return x * by.m - lanes16_high(x, by.quotient) * p;
}

/* y + m x for bytes. */
LANES_INLINE lanes scale16_bytes(const struct prime_ctx *ctx, lanes y, lanes16 x,
                                 struct scale16_factor by)
{
    typedef uint8_t lanes8 __attribute__((vector_size(sizeof(lanes))));
    const lanes16 p = lanes16_all((uint16_t)ctx->p);
    const lanes8 p8 = (lanes8)(p | p << 8);
    const lanes8 less =
        p8 - (lanes8)(scale16_small(x & 0xff, by, p) | scale16_small(x >> 8, by, p) << 8);

    return (lanes)((lanes8)y - less + (p8 & (lanes8)((lanes8)y < less)));
}

/* The same for a vector of elements. */
LANES_INLINE void scale16_vector(const struct prime_ctx *ctx, void *out, const void *a,
                                 struct scale16_factor by, size_t elem_size)
{
    lanes16 x = (lanes16)lanes_load(a);
    lanes y = lanes_load(out);

    lanes_store(out, elem_size == 1 ? scale16_bytes(ctx, y, x, by)
                                    : (lanes)scale16_words(ctx, (lanes16)y, x, by));
}

LANES_INLINE void scale16_vectors(const struct prime_ctx *ctx, unsigned char *out,
                                  const unsigned char *a, uint64_t m, size_t n, size_t elem_size)
{
    const struct scale16_factor by = scale16_factor(ctx, m, elem_size);
    const size_t rest = n * elem_size % sizeof(lanes), whole = n * elem_size - rest;
    const struct prime_ctx local = *ctx; /* which no output can overlap */
    unsigned char last_out[sizeof(lanes)] = { 0 }, last_a[sizeof(lanes)] = { 0 };

    for (size_t at = 0; at < whole; at += sizeof(lanes))
        scale16_vector(&local, out + at, a + at, by, elem_size);
    if (rest > 0) {
        memcpy(last_a, a + whole, rest);
        memcpy(last_out, out + whole, rest);
        scale16_vector(&local, last_out, last_a, by, elem_size);
        memcpy(out + whole, last_out, rest);
    }
}

/* scale_add of hagg/plugin.h. */
static void scale16_add(const struct prime_ctx *ctx, void *out, uint64_t c, const void *a, size_t n)
{
    if (ctx->elem_size == 1)
        scale16_vectors(ctx, out, a, c, n, 1);
    else
        scale16_vectors(ctx, out, a, c, n, 2);
}

#endif

#endif
