/*
 * kernels.c - arithmetic modulo a prime below 2^62.
 */
#include <hagg/prime-field.h>

#include "kernels.h"
#include "mat32.h"
#include "mat64.h"

static uint64_t mul(const struct prime_ctx *ctx, uint64_t a, uint64_t b)
{
    return montgomery_mul(&ctx->mont, montgomery_enter(&ctx->mont, a), b) & ctx->mask;
}

static uint64_t mat64_scale(const void *ctx, uint64_t m)
{
#if defined(__AVX512IFMA__)
    return mul(ctx, m, UINT64_C(1) << 52);
#else
    const struct prime_ctx *prime = ctx;

    return montgomery_enter(&prime->mont, m);
#endif
}

static uint64_t mat64_shift(const void *ctx, uint64_t m)
{
    return mul(ctx, m, UINT64_C(1) << MAT64_LIMB_BITS);
}

/* Montgomery's reduction in the form that subtracts: (sum - q p) / R for q < R, plus p. The sum is
 * below 2^-11 p R, so this is above 0 and below 2 p. */
LANES_INLINE lanes mat64_reduce(const void *ctx, struct mat64_sum sum)
{
    const struct prime_ctx *prime = ctx;
    const uint64_t p = prime->mont.n;
    const lanes inverse = lanes_all(prime->mont.inverse);
    lanes x;

#if defined(__AVX512IFMA__)
    /* R = 2^52. An instruction that takes 52 bits ignores the others. */
    lanes q = _mm512_madd52lo_epu64(lanes_all(0), sum.low, inverse);
    lanes taken = _mm512_mullo_epi64(q, lanes_all(p >> 52));

    taken = _mm512_madd52hi_epu64(taken, q, lanes_all(p));
    x = lanes_add(lanes_add(sum.high, lanes_all(p)), lanes_shr(sum.low, 52));
    x = lanes_sub(x, taken);
#else
    /* R = 2^64 in two steps of 32 bits. The sum in between may be negative, so 2^63 is added to it,
     * of which 2^31 is left after the second step. */
    const lanes p0 = lanes_all(p), p1 = lanes_all(p >> 32);
    lanes q = lanes_mul(sum.low, inverse);

    x = lanes_add(lanes_add(sum.high, lanes_all(UINT64_C(1) << 63)), lanes_shr(sum.low, 32));
    x = lanes_sub(x, lanes_shr(lanes_mul(q, p0), 32));
    x = lanes_sub(x, lanes_mul(q, p1));
    q = lanes_mul(x, inverse);
    x = lanes_add(lanes_shr(x, 32), lanes_all(p - (UINT64_C(1) << 31)));
    x = lanes_sub(x, lanes_shr(lanes_mul(q, p0), 32));
    x = lanes_sub(x, lanes_mul(q, p1));
#endif
    return lanes_wrap(x, lanes_all(p));
}

static void add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    const struct prime_ctx *prime = ctx;

    hagg_prime_add(prime->p, prime->elem_size, out, a, b, n);
}

static void sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    const struct prime_ctx *prime = ctx;

    hagg_prime_sub(prime->p, prime->elem_size, out, a, b, n);
}

static const struct blocks_kernel kernel64 = {
    .word_size = sizeof(uint64_t),
    .entry_size = sizeof(struct mat64_entry),
    .rows = MAT64_ROWS,
    .step = LANES,
    .prepare = mat64_prepare,
    .apply = mat64_apply,
    .add = add,
};

static const struct blocks_kernel kernel32 = {
    .word_size = sizeof(uint32_t),
    .entry_size = sizeof(mat32_entry),
    .rows = MAT32_ROWS,
    .step = 2 * LANES,
    .prepare = mat32_prepare,
    .apply = mat32_apply,
    .add = add,
};

static const struct blocks_kernel kernel32_moving = {
    .word_size = sizeof(uint32_t),
    .entry_size = sizeof(mat32_entry),
    .rows = MAT32_ROWS_MOVING,
    .step = 2 * LANES,
    .prepare = mat32_prepare,
    .apply = mat32_apply_moving,
    .add = add,
};

static const struct blocks_kernel *kernel(const struct prime_ctx *ctx)
{
    if (ctx->elem_size == sizeof(uint64_t))
        return &kernel64;
    return ctx->group < BLOCKS_TERMS ? &kernel32_moving : &kernel32;
}

static void mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                      size_t n_in, const void *matrix, size_t n)
{
    const struct prime_ctx *prime = ctx;

    blocks_mat_apply(kernel(prime), ctx, prime->elem_size, out, n_out, in, n_in, matrix, n);
}

static void scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    const struct prime_ctx *prime = ctx;
    const size_t elem_size = prime->elem_size;
    const uint64_t factor = montgomery_enter(&prime->mont, hagg_load(c, 0, elem_size));

    /* Short vectors, and 8 bytes in narrow lanes, are faster one by one. */
    if (n >= 128 && (LANES > 2 || elem_size < sizeof(uint64_t))) {
        blocks_scale_add(kernel(prime), ctx, elem_size, out, c, a, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t x = montgomery_mul(&prime->mont, factor, hagg_load(a, i, elem_size));

        x = (x & prime->mask) + hagg_load(out, i, elem_size);
        hagg_store(out, i, elem_size, x - (prime->p & -(uint64_t)(x >= prime->p)));
    }
}

static size_t check(const void *ctx, const void *a, size_t n)
{
    const struct prime_ctx *prime = ctx;

    return hagg_prime_check(prime->p, prime->elem_size, a, n);
}

static size_t sample(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                     size_t *used)
{
    const struct prime_ctx *prime = ctx;

    return hagg_prime_sample(prime->p, prime->elem_size, out, n, random, n_random, used);
}

static size_t from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    const struct prime_ctx *prime = ctx;

    switch (prime->elem_size) {
    case 1:
        return hagg_prime_from_int(prime->p, 1, out, in, n);
    case 2:
        return hagg_prime_from_int(prime->p, 2, out, in, n);
    case 4:
        return hagg_prime_from_int(prime->p, 4, out, in, n);
    default:
        return hagg_prime_from_int(prime->p, 8, out, in, n);
    }
}

static void to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    const struct prime_ctx *prime = ctx;

    switch (prime->elem_size) {
    case 1:
        hagg_prime_to_int(prime->p, 1, out, in, n);
        break;
    case 2:
        hagg_prime_to_int(prime->p, 2, out, in, n);
        break;
    case 4:
        hagg_prime_to_int(prime->p, 4, out, in, n);
        break;
    default:
        hagg_prime_to_int(prime->p, 8, out, in, n);
        break;
    }
}

const struct prime_kernels HAGG_KERNELS(prime_kernels) = {
    .add = add,
    .sub = sub,
    .scale_add = scale_add,
    .check = check,
    .sample = sample,
    .from_int = from_int,
    .to_int = to_int,
    .mat_apply = mat_apply,
};
