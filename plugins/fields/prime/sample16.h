/*
 * sample16.h - whole vectors of tries for elements of 1 or 2 bytes, if the build can compress them.
 */
#ifndef SAMPLE16_H
#define SAMPLE16_H

#include "compress16.h"
#include "prime.h"

#if defined(COMPRESS16)

/* Samples as sample in hagg/plugin.h, with all tries that fill a vector while a vector of elements
 * is missing. Sets *tries to their number and returns that of the elements. */
LANES_INLINE size_t sample16_vectors(const struct prime_ctx *ctx, unsigned char *out, size_t n,
                                     const unsigned char *random, size_t n_tries, size_t *tries,
                                     size_t elem_size)
{
    const size_t step = sizeof(lanes) / elem_size;
    const uint16_t each = elem_size == 1 ? 0x0101 : 1;
    const lanes16 p = lanes16_all((uint16_t)(ctx->p * each));
    const lanes16 mask = lanes16_all((uint16_t)((~UINT64_C(0) >> __builtin_clzll(ctx->p)) * each));
    size_t at = 0, done = 0;

    for (; n - done >= step && n_tries - at >= step; at += step) {
        lanes16 x = (lanes16)lanes_load(random + at * elem_size) & mask;

        done += compress16(out + done * elem_size, x, p, elem_size);
    }
    *tries = at;
    return done;
}

static size_t sample16(const struct prime_ctx *ctx, void *out, size_t n, const void *random,
                       size_t n_tries, size_t *tries)
{
    if (ctx->elem_size == 1)
        return sample16_vectors(ctx, out, n, random, n_tries, tries, 1);
    return sample16_vectors(ctx, out, n, random, n_tries, tries, 2);
}

#endif

#endif
