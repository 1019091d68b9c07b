/*
 * mat16.h - products over a field prime with elements of 1 or 2 bytes, for builds with vectors.
 *
 * Elements become signed words of 16 bits. One instruction multiplies the words of two inputs by
 * the entries of the matrix and adds both products, so inputs are interleaved in pairs. If the
 * build can multiply bytes (LANES16_QUADS), the bytes of four inputs are interleaved instead.
 *
 * Below 2^9, BLOCKS_TERMS products fit into a sum of 32 bits. For larger p, an entry is split into
 * two limbs, high 2^8 + low, with a sum for each, and the sum of the high limbs is folded:
 * h1 2^16 + h0 times 2^8 is h0 2^8 + h1 c, where c is 2^24 modulo p. An output is reduced once, by
 * a step of Montgomery reduction with R = 2^16.
 *
 * Bounds, for n = ctx->mont.n. The sum to reduce must be in -n 2^15 .. n 2^15 - 1, where n 2^15 is
 * added to it. An entry is within +-n / 2, a low limb within +-2^7, a high one within
 * +-(n / 2^9 + 1). An input is within +-x, where x is n - 1 if this is below 2^15, else 2^15. With
 * T = BLOCKS_TERMS = 2^7 terms:
 *  - one sum:  T x n / 2 <= n 2^15 if n <= 2^9
 *  - two sums: T x 2^7 + 2^23 + (T x (n / 2^9 + 1) / 2^16 + 1) n / 2 < n 2^15 if n > 2^9 + 8
 */
#ifndef MAT16_H
#define MAT16_H

#include "blocks.h"
#include "montgomery16.h"
#include "pack16.h"
#include "rows.h"

#if LANES > 1

enum { MAT16_SPLIT_FROM = 1 << 9 }; /* the smallest p with two sums for each output */

/* The sums of a vector of outputs must fit into the vector registers. */
#if LANES == 8
enum { MAT16_ROWS = 6 };
#else
enum { MAT16_ROWS = 3 };
#endif

typedef uint32_t __attribute__((may_alias)) mat16_entry; /* two words of 16 bits */

_Static_assert(BLOCKS_TERMS == 1 << 7, "the bounds above");

/* Sum i is that of operand i; with PACK16_SPLIT, the sums of the high limbs follow. */
struct mat16_sums {
    lanes32 sum[4];
};

/* Returns the number in -n / 2 .. n / 2 that is congruent to m R. */
static int32_t mat16_weigh(const struct prime_ctx *ctx, uint64_t m)
{
    const uint32_t n = (uint32_t)ctx->mont.n;
    uint32_t scaled = montgomery16_enter(ctx, m);

    return (int32_t)(scaled - (n & -(uint32_t)(scaled > n / 2)));
}

static mat16_entry mat16_pair(int32_t first, int32_t second)
{
    return (uint16_t)first | (uint32_t)(uint16_t)second << 16;
}

static void mat16_prepare_words(const void *ctx, void *entry, const uint64_t *m)
{
    *(mat16_entry *)entry = mat16_pair(mat16_weigh(ctx, m[0]), mat16_weigh(ctx, m[1]));
}

static void mat16_prepare_bytes(const void *ctx, void *entry, const uint64_t *m)
{
#if defined(LANES16_QUADS)
    uint32_t quad = 0;

    for (size_t i = 0; i < 4; i++)
        quad |= (uint32_t)(uint8_t)mat16_weigh(ctx, m[i]) << 8 * i;
    *(mat16_entry *)entry = quad;
#else
    mat16_prepare_words(ctx, entry, m);
#endif
}

static void mat16_prepare_split(const void *ctx, void *entry, const uint64_t *m)
{
    mat16_entry *limbs = entry;
    int32_t low[2], high[2];

    for (size_t i = 0; i < 2; i++) {
        /* 2^7 so that the low limb can be negative, 2^15 so that this is not */
        int32_t shifted = mat16_weigh(ctx, m[i]) + (1 << 7) + (1 << 15);

        low[i] = (shifted & 0xff) - (1 << 7);
        high[i] = (shifted >> 8) - (1 << 7);
    }
    limbs[0] = mat16_pair(low[0], low[1]);
    limbs[1] = mat16_pair(high[0], high[1]);
}

/* Reduces the sums for even and for odd words. */
LANES_INLINE lanes16 mat16_reduce(const struct prime_ctx *ctx, lanes32 even, lanes32 odd,
                                  size_t elem_size)
{
    lanes16 a = (lanes16)even, b = (lanes16)odd;

    return montgomery16_divide(ctx, lanes16_even(a, b), lanes16_odd(a, b), elem_size);
}

/* The sum of the low limbs plus 2^8 times that of the high ones, to which 2^15 was added. */
LANES_INLINE lanes32 mat16_fold(const struct prime_ctx *ctx, lanes32 low, lanes32 high)
{
    const lanes16 factors = (lanes16)((lanes32){ 0 } + ctx->fold16);

    return lanes16_add_products(low, (lanes16)(high ^ 1u << 15), factors);
}

LANES_INLINE lanes mat16_finish(const struct prime_ctx *ctx, const struct mat16_sums *sums,
                                enum pack16_kind kind)
{
    lanes32 even = sums->sum[0], odd = sums->sum[1];
    lanes16 x;

    if (kind == PACK16_SPLIT) {
        even = mat16_fold(ctx, even, sums->sum[2]);
        odd = mat16_fold(ctx, odd, sums->sum[3]);
    }
    if (kind != PACK16_BYTES)
        return (lanes)mat16_reduce(ctx, even, odd, 2);
    x = mat16_reduce(ctx, even, odd, 1);
    x |= mat16_reduce(ctx, sums->sum[2], sums->sum[3], 1) << 8;
    return (lanes)(x & (uint16_t)ctx->mask16);
}

LANES_INLINE void mat16_clear(const struct prime_ctx *ctx, struct mat16_sums *sums,
                              enum pack16_kind kind)
{
    const lanes32 start = (lanes32){ 0 } + ((uint32_t)ctx->mont.n << 15);

    sums->sum[0] = sums->sum[1] = sums->sum[2] = sums->sum[3] = start;
    if (kind == PACK16_SPLIT)
        sums->sum[2] = sums->sum[3] = (lanes32){ 0 } + (1u << 15);
}

LANES_INLINE void mat16_add(lanes32 *sum, lanes16 operand, lanes16 m, enum pack16_kind kind)
{
#if defined(LANES16_QUADS)
    *sum = kind == PACK16_BYTES ? lanes16_add_quads(*sum, operand, m)
                                : lanes16_add_products(*sum, operand, m);
#else
    (void)kind;
    *sum = lanes16_add_products(*sum, operand, m);
#endif
    LANES_PIN(*sum);
}

LANES_INLINE void mat16_step(struct mat16_sums *sums, const mat16_entry *entry,
                             const lanes16 *operands, enum pack16_kind kind)
{
    lanes16 m = (lanes16)lanes_all32(entry[0]);

    mat16_add(&sums->sum[0], operands[0], m, kind);
    mat16_add(&sums->sum[1], operands[1], m, kind);
    if (kind == PACK16_BYTES) {
        mat16_add(&sums->sum[2], operands[2], m, kind);
        mat16_add(&sums->sum[3], operands[3], m, kind);
    }
    if (kind == PACK16_SPLIT) {
        m = (lanes16)lanes_all32(entry[1]);
        mat16_add(&sums->sum[2], operands[0], m, kind);
        mat16_add(&sums->sum[3], operands[1], m, kind);
    }
}

#define MAT16_CLEAR(r) mat16_clear(ctx, &sums[r], kind)
#define MAT16_STEP(r)  mat16_step(&sums[r], entry + (r)*limbs, tile, kind)
#define MAT16_STORE(r) lanes_store((unsigned char *)out[r] + at, mat16_finish(ctx, &sums[r], kind))

/* All callers pass constants for n_rows and kind. */
LANES_INLINE void mat16_rows(const struct prime_ctx *ctx, void *const *out, size_t n_rows,
                             const lanes16 *tile, size_t n_terms, const mat16_entry *table,
                             size_t n_bytes, enum pack16_kind kind)
{
    const size_t limbs = kind == PACK16_SPLIT ? 2 : 1;

    for (size_t at = 0; at < n_bytes; at += sizeof(lanes)) {
        const mat16_entry *entry = table;
        struct mat16_sums sums[BLOCKS_ROWS];

        ROWS_EACH(n_rows, MAT16_CLEAR);
        for (size_t c = 0; c < n_terms; c += pack16_terms(kind)) {
            ROWS_EACH(n_rows, MAT16_STEP);
            tile += pack16_operands(kind);
            entry += n_rows * limbs;
        }
        ROWS_EACH(n_rows, MAT16_STORE);
    }
}

#define MAT16_ROWS_OF_BYTES(rows) mat16_rows(ctx, out, rows, in[0], n_terms, table, n, PACK16_BYTES)
#define MAT16_ROWS_OF_WORDS(rows)                                                                  \
    mat16_rows(ctx, out, rows, in[0], n_terms, table, 2 * n, PACK16_WORDS)
#define MAT16_ROWS_SPLIT(rows)                                                                     \
    mat16_rows(ctx, out, rows, in[0], n_terms, table, 2 * n, PACK16_SPLIT)

static void mat16_apply_bytes(const void *ctx, void *const *out, size_t n_rows,
                              const void *const *in, size_t n_terms, const void *table, size_t n)
{
    ROWS_WITH(n_rows, MAT16_ROWS, MAT16_ROWS_OF_BYTES);
}

static void mat16_apply_words(const void *ctx, void *const *out, size_t n_rows,
                              const void *const *in, size_t n_terms, const void *table, size_t n)
{
    ROWS_WITH(n_rows, MAT16_ROWS, MAT16_ROWS_OF_WORDS);
}

static void mat16_apply_split(const void *ctx, void *const *out, size_t n_rows,
                              const void *const *in, size_t n_terms, const void *table, size_t n)
{
    ROWS_WITH(n_rows, MAT16_ROWS, MAT16_ROWS_SPLIT);
}

static const struct blocks_kernel mat16_kernel_bytes = {
    .word_size = 1,
    .entry_size = sizeof(mat16_entry),
    .terms = PACK16_BYTE_TERMS,
    .rows = MAT16_ROWS,
    .step = sizeof(lanes),
    .prepare = mat16_prepare_bytes,
    .pack = pack16_bytes,
    .apply = mat16_apply_bytes,
};

static const struct blocks_kernel mat16_kernel_words = {
    .word_size = 2,
    .entry_size = sizeof(mat16_entry),
    .terms = 2,
    .rows = MAT16_ROWS,
    .step = sizeof(lanes) / 2,
    .prepare = mat16_prepare_words,
    .pack = pack16_words,
    .apply = mat16_apply_words,
};

static const struct blocks_kernel mat16_kernel_split = {
    .word_size = 2,
    .entry_size = 2 * sizeof(mat16_entry),
    .terms = 2,
    .rows = MAT16_ROWS,
    .step = sizeof(lanes) / 2,
    .prepare = mat16_prepare_split,
    .pack = pack16_words,
    .apply = mat16_apply_split,
};

static const struct blocks_kernel *mat16_kernel(const struct prime_ctx *ctx)
{
    if (ctx->elem_size == 1)
        return &mat16_kernel_bytes;
    return ctx->p < MAT16_SPLIT_FROM ? &mat16_kernel_words : &mat16_kernel_split;
}

#undef MAT16_CLEAR
#undef MAT16_STEP
#undef MAT16_STORE
#undef MAT16_ROWS_OF_BYTES
#undef MAT16_ROWS_OF_WORDS
#undef MAT16_ROWS_SPLIT

#endif

#endif
