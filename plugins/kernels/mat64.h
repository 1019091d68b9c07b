/*
 * mat64.h - matrix times a block of vectors over a prime field with elements of 8 bytes.
 *
 * An input x is split into limbs, x = sum of 2^(b j) x_j, and every entry m of the matrix is
 * replaced by the elements m_j = 2^(b j) m, so that m x = sum of m_j x_j. So the products of all
 * limbs have the same weight and need few sums. Each m_j is split in two, and BLOCKS_TERMS times
 * its products fit into the 64 bits of a sum, so an output is reduced once. With IFMA b is 32, and
 * m_j is split at bit 52; otherwise b is 22, and m_j is split at bit 32.
 *
 * For kernels.c of a field of prime-kernels.h, which defines the functions declared first.
 */
#ifndef MAT64_H
#define MAT64_H

#include "blocks.h"
#include "lanes.h"
#include "rows.h"

#if defined(__AVX512IFMA__)
enum { MAT64_LIMBS = 2, MAT64_LIMB_BITS = 32, MAT64_CUT = 52, MAT64_ROWS = 8 };
typedef uint64_t mat64_half;
#else
enum { MAT64_LIMBS = 3, MAT64_LIMB_BITS = 22, MAT64_CUT = 32, MAT64_ROWS = 6 };
typedef uint32_t mat64_half;
#endif

/* The sum low + 2^MAT64_CUT high. */
struct mat64_sum {
    lanes low;
    lanes high;
};

/* m times the divisor of mat64_reduce, and 2^MAT64_LIMB_BITS m. */
static uint64_t mat64_scale(const void *ctx, uint64_t m);
static uint64_t mat64_shift(const void *ctx, uint64_t m);

/* Returns the canonical element for a sum of at most BLOCKS_TERMS products. */
LANES_INLINE lanes mat64_reduce(const void *ctx, struct mat64_sum sum);

struct mat64_entry {
    struct {
        mat64_half low;
        mat64_half high;
    } m[MAT64_LIMBS];
} __attribute__((may_alias)); /* stored in byte buffers of blocks.h */

static void mat64_prepare(const void *ctx, void *entry, const uint64_t *m)
{
    struct mat64_entry *e = entry;
    uint64_t scaled = mat64_scale(ctx, m[0]);

    for (size_t j = 0; j < MAT64_LIMBS; j++) {
        e->m[j].low = (mat64_half)(scaled & ((UINT64_C(1) << MAT64_CUT) - 1));
        e->m[j].high = (mat64_half)(scaled >> MAT64_CUT);
        scaled = mat64_shift(ctx, scaled);
    }
}

struct mat64_limbs {
    lanes x[MAT64_LIMBS];
};

LANES_INLINE struct mat64_limbs mat64_load(const void *in, size_t i)
{
    const lanes mask = lanes_all((UINT64_C(1) << MAT64_LIMB_BITS) - 1);
    lanes x = lanes_load(blocks_at(in, i, sizeof(uint64_t)));
    struct mat64_limbs limbs;

    limbs.x[0] = x & mask;
#if defined(__AVX512IFMA__)
    limbs.x[1] = x >> 32;
#else
    limbs.x[1] = x >> 22 & mask;
    limbs.x[2] = x >> 44;
#endif
    return limbs;
}

LANES_INLINE struct mat64_sum mat64_zero(void)
{
    return (struct mat64_sum){ lanes_all(0), lanes_all(0) };
}

LANES_INLINE void mat64_step(struct mat64_sum *sum, const struct mat64_entry *entry,
                             struct mat64_limbs limbs)
{
#if defined(__AVX512IFMA__)
    const lanes low0 = lanes_all(entry->m[0].low), low1 = lanes_all(entry->m[1].low);

    /* The high halves have 12 bits, so their products with 32 bits have no upper part. */
    sum->low = lanes_add_low52(sum->low, limbs.x[0], low0);
    sum->high = lanes_add_high52(sum->high, limbs.x[0], low0);
    sum->low = lanes_add_low52(sum->low, limbs.x[1], low1);
    sum->high = lanes_add_high52(sum->high, limbs.x[1], low1);
    sum->high = lanes_add_low52(sum->high, limbs.x[0], lanes_all(entry->m[0].high));
    sum->high = lanes_add_low52(sum->high, limbs.x[1], lanes_all(entry->m[1].high));
#else
#define MAT64_LIMB(j)                                                                              \
    do {                                                                                           \
        sum->low += lanes_mul(limbs.x[j], lanes_all32(entry->m[j].low));                           \
        LANES_PIN(sum->low);                                                                       \
        sum->high += lanes_mul(limbs.x[j], lanes_all32(entry->m[j].high));                         \
        LANES_PIN(sum->high);                                                                      \
    } while (0)

    MAT64_LIMB(0);
    MAT64_LIMB(1);
    MAT64_LIMB(2);
#undef MAT64_LIMB
#endif
}

#define MAT64_CLEAR(r) sum[r] = mat64_zero()
#define MAT64_STEP(r)  mat64_step(&sum[r], &entry[r], limbs)
#define MAT64_STORE(r)                                                                             \
    lanes_store((unsigned char *)out[r] + i * sizeof(uint64_t), mat64_reduce(ctx, sum[r]))

/* All callers pass a constant for n_rows. */
LANES_INLINE void mat64_rows(const void *ctx, void *const *out, size_t n_rows,
                             const void *const *in, size_t n_terms, const struct mat64_entry *table,
                             size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        const struct mat64_entry *entry = table;
        struct mat64_sum sum[BLOCKS_ROWS];

        ROWS_EACH(n_rows, MAT64_CLEAR);
        for (size_t c = 0; c < n_terms; c++, entry += n_rows) {
            struct mat64_limbs limbs = mat64_load(in[c], i);

            ROWS_EACH(n_rows, MAT64_STEP);
        }
        ROWS_EACH(n_rows, MAT64_STORE);
    }
}

#define MAT64_ROWS_OF(rows) mat64_rows(ctx, out, rows, in, n_terms, table, n)

static void mat64_apply(const void *ctx, void *const *out, size_t n_rows, const void *const *in,
                        size_t n_terms, const void *table, size_t n)
{
    ROWS_WITH(n_rows, MAT64_ROWS, MAT64_ROWS_OF);
}

static const struct blocks_kernel mat64_kernel = {
    .word_size = sizeof(uint64_t),
    .entry_size = sizeof(struct mat64_entry),
    .terms = 1,
    .rows = MAT64_ROWS,
    .step = LANES,
    .prepare = mat64_prepare,
    .apply = mat64_apply,
};

#undef MAT64_CLEAR
#undef MAT64_STEP
#undef MAT64_STORE
#undef MAT64_ROWS_OF

#endif
