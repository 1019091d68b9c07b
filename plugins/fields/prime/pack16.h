/*
 * pack16.h - makes the operands of mat16.h from elements of 1 or 2 bytes.
 */
#ifndef PACK16_H
#define PACK16_H

#include "blocks.h"
#include "lanes16.h"
#include "prime.h"

#if LANES > 1

/* The elements of a vector, and how many sums an output has. */
enum pack16_kind { PACK16_BYTES, PACK16_WORDS, PACK16_SPLIT };

/* The number of inputs whose products one instruction adds. */
#if defined(LANES16_QUADS)
enum { PACK16_BYTE_TERMS = 4 };
#else
enum { PACK16_BYTE_TERMS = 2 };
#endif

/* A vector of bytes is two vectors of words, its even bytes and its odd ones. Interleaved with
 * those of the next input, a vector of words becomes two operands, for its even and its odd words.
 */
LANES_INLINE size_t pack16_operands(enum pack16_kind kind)
{
    return kind == PACK16_BYTES ? 4 : 2;
}

LANES_INLINE size_t pack16_terms(enum pack16_kind kind)
{
    return kind == PACK16_BYTES ? PACK16_BYTE_TERMS : 2;
}

/* Makes the operands of a vector of elements of pack16_terms inputs, which it overwrites. */
LANES_INLINE void pack16_interleave(const struct prime_ctx *ctx, lanes16 *operands, lanes16 *x,
                                    enum pack16_kind kind)
{
    if (kind == PACK16_BYTES) {
        lanes16 odd[2];

        for (size_t i = 0; i < 2; i++) {
#if defined(LANES16_QUADS)
            odd[i] = x[2 * i] >> 8 | (x[2 * i + 1] & 0xff00);
            x[i] = (x[2 * i] & 0xff) | x[2 * i + 1] << 8;
#else
            odd[i] = x[i] >> 8;
            x[i] &= 0xff;
#endif
        }
        operands[2] = lanes16_even(odd[0], odd[1]);
        operands[3] = lanes16_odd(odd[0], odd[1]);
    } else {
        const lanes16 p = lanes16_all((uint16_t)ctx->p);

        for (size_t i = 0; i < 2; i++)
            x[i] -= (lanes16)((lanes16s)x[i] >> 15) & p;
    }
    operands[0] = lanes16_even(x[0], x[1]);
    operands[1] = lanes16_odd(x[0], x[1]);
}

/* Reads a vector of inputs from term c on; those that are missing are zero. */
LANES_INLINE void pack16_read(lanes16 *x, const void *const *in, size_t n_terms, size_t c,
                              size_t at, enum pack16_kind kind)
{
    const size_t n = pack16_terms(kind);

    if (n_terms - c >= n) {
        for (size_t i = 0; i < n; i++)
            x[i] = (lanes16)lanes_load(blocks_at(in[c + i], at, 1));
        return;
    }
    for (size_t i = 0; i < n; i++)
        x[i] = i < n_terms - c ? (lanes16)lanes_load(blocks_at(in[c + i], at, 1)) : (lanes16){ 0 };
}

LANES_INLINE void pack16_tile(const struct prime_ctx *ctx, lanes16 *tile, const void *const *in,
                              size_t n_terms, size_t n_bytes, enum pack16_kind kind)
{
    for (size_t at = 0; at < n_bytes; at += sizeof(lanes))
        for (size_t c = 0; c < n_terms; c += pack16_terms(kind), tile += pack16_operands(kind)) {
            lanes16 x[4];

            pack16_read(x, in, n_terms, c, at, kind);
            pack16_interleave(ctx, tile, x, kind);
        }
}

static void pack16_bytes(const void *ctx, void *tile, const void *const *in, size_t n_terms,
                         size_t n)
{
    pack16_tile(ctx, tile, in, n_terms, n, PACK16_BYTES);
}

static void pack16_words(const void *ctx, void *tile, const void *const *in, size_t n_terms,
                         size_t n)
{
    pack16_tile(ctx, tile, in, n_terms, n * sizeof(uint16_t), PACK16_WORDS);
}

#endif

#endif
