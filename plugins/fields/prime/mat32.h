/*
 * mat32.h - matrix times a block of vectors over a field prime with elements of at most 4 bytes.
 *
 * The vectors are words of 32 bits, two per lane. The products of even words and of odd words have
 * separate sums. ctx->group products fit into the 64 bits of a sum; then the bits above 32 move to
 * a second sum. There is no second sum if BLOCKS_TERMS products fit. An output is reduced once, by
 * two steps of Montgomery reduction with R = 2^32.
 */
#ifndef MAT32_H
#define MAT32_H

#include "blocks.h"
#include "lanes.h"
#include "prime.h"
#include "rows.h"

/* The sums and second sums, even and odd, must fit into the vector registers. */
#if defined(__AVX512F__)
enum { MAT32_ROWS = 8, MAT32_ROWS_MOVING = 6 };
#else
enum { MAT32_ROWS = 6, MAT32_ROWS_MOVING = 3 };
#endif

typedef uint32_t __attribute__((may_alias)) mat32_entry; /* stored in byte buffers of blocks.h */

_Static_assert(BLOCKS_TERMS < PRIME_INSTEAD_OF_2, "sums of bits must not wrap");

struct mat32_sum {
    lanes even;
    lanes odd;
    lanes even_high; /* in units of 2^32 */
    lanes odd_high;
};

static void mat32_prepare(const void *ctx, void *entry, const uint64_t *m)
{
    const struct prime_ctx *prime = ctx;

    *(mat32_entry *)entry = (mat32_entry)montgomery_enter(&prime->mont, m[0]);
}

LANES_INLINE struct mat32_sum mat32_zero(void)
{
    return (struct mat32_sum){ lanes_all(0), lanes_all(0), lanes_all(0), lanes_all(0) };
}

LANES_INLINE void mat32_step(struct mat32_sum *sum, const mat32_entry *entry, lanes even, lanes odd)
{
    const lanes m = lanes_all32(*entry);

    sum->even += lanes_mul(even, m);
    LANES_PIN(sum->even);
    sum->odd += lanes_mul(odd, m);
    LANES_PIN(sum->odd);
}

LANES_INLINE void mat32_move(struct mat32_sum *sum)
{
    sum->even_high += sum->even >> 32;
    sum->odd_high += sum->odd >> 32;
    sum->even &= UINT32_MAX;
    sum->odd &= UINT32_MAX;
}

/* Returns (x - n q) / 2^32 + n, where x = low + 2^32 high and q is below 2^32 such that the result
 * is an integer. */
LANES_INLINE lanes mat32_divide(lanes low, lanes high, lanes n, lanes inverse)
{
    lanes q = lanes_mul(low, inverse);

    return high + n - (lanes_mul(q, n) >> 32);
}

/* high is below 2^40, so the second division leaves at most n + 2^8. If n is so small that this is
 * not below 2 n, it leaves at most n. */
LANES_INLINE lanes mat32_reduce(const struct prime_ctx *ctx, lanes sum, lanes high)
{
    const lanes n = lanes_all(ctx->mont.n);
    const lanes inverse = lanes_all(ctx->mont.inverse);
    lanes x = mat32_divide(sum, high + (sum >> 32), n, inverse);

    x = mat32_divide(x, x >> 32, n, inverse);
    return lanes_wrap(x, n) & ctx->mask;
}

#define MAT32_CLEAR(r) sum[r] = mat32_zero()
#define MAT32_STEP(r)  mat32_step(&sum[r], &entry[r], x, odd)
#define MAT32_MOVE(r)  mat32_move(&sum[r])
#define MAT32_STORE(r)                                                                             \
    lanes_store((unsigned char *)out[r] + i * sizeof(uint32_t),                                    \
                lanes_join(mat32_reduce(ctx, sum[r].even, sum[r].even_high),                       \
                           mat32_reduce(ctx, sum[r].odd, sum[r].odd_high)))

/* All callers pass constants for n_rows and moving. */
LANES_INLINE void mat32_rows(const struct prime_ctx *ctx, void *const *out, size_t n_rows,
                             const void *const *in, size_t n_terms, const mat32_entry *table,
                             size_t n, int moving)
{
    const size_t group = moving ? ctx->group : BLOCKS_TERMS;

    for (size_t i = 0; i < n; i += 2 * LANES) {
        const mat32_entry *entry = table;
        struct mat32_sum sum[BLOCKS_ROWS];

        ROWS_EACH(n_rows, MAT32_CLEAR);
        for (size_t c = 0, end; c < n_terms; c = end) {
            end = n_terms - c < group ? n_terms : c + group;
            for (size_t t = c; t < end; t++, entry += n_rows) {
                lanes x = lanes_load(blocks_at(in[t], i, sizeof(uint32_t)));
                lanes odd = x >> 32;

                ROWS_EACH(n_rows, MAT32_STEP);
            }
            if (moving)
                ROWS_EACH(n_rows, MAT32_MOVE);
        }
        ROWS_EACH(n_rows, MAT32_STORE);
    }
}

#define MAT32_ROWS_OF(rows)        mat32_rows(ctx, out, rows, in, n_terms, table, n, 0)
#define MAT32_ROWS_OF_MOVING(rows) mat32_rows(ctx, out, rows, in, n_terms, table, n, 1)

static void mat32_apply(const void *ctx, void *const *out, size_t n_rows, const void *const *in,
                        size_t n_terms, const void *table, size_t n)
{
    ROWS_WITH(n_rows, MAT32_ROWS, MAT32_ROWS_OF);
}

static void mat32_apply_moving(const void *ctx, void *const *out, size_t n_rows,
                               const void *const *in, size_t n_terms, const void *table, size_t n)
{
    ROWS_WITH(n_rows, MAT32_ROWS_MOVING, MAT32_ROWS_OF_MOVING);
}

static const struct blocks_kernel mat32_kernel = {
    .word_size = sizeof(uint32_t),
    .entry_size = sizeof(mat32_entry),
    .terms = 1,
    .rows = MAT32_ROWS,
    .step = 2 * LANES,
    .prepare = mat32_prepare,
    .apply = mat32_apply,
};

static const struct blocks_kernel mat32_kernel_moving = {
    .word_size = sizeof(uint32_t),
    .entry_size = sizeof(mat32_entry),
    .terms = 1,
    .rows = MAT32_ROWS_MOVING,
    .step = 2 * LANES,
    .prepare = mat32_prepare,
    .apply = mat32_apply_moving,
};

#undef MAT32_CLEAR
#undef MAT32_STEP
#undef MAT32_MOVE
#undef MAT32_STORE
#undef MAT32_ROWS_OF
#undef MAT32_ROWS_OF_MOVING

#endif
