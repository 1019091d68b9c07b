/*
 * kernels.c - products modulo a prime below 2^62.
 */
#include "prime.h"

#define FIELD_P         (((const struct prime_ctx *)ctx)->p)
#define FIELD_ELEM_SIZE (((const struct prime_ctx *)ctx)->elem_size)
#define FIELD_OWN_INV
#define FIELD_OWN_SAMPLE
#include "prime-kernels.h"

#include "mat16.h"
#include "mat32.h"
#include "mat64.h"
#include "sample16.h"
#include "scale16.h"

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

/* Montgomery reduction by subtraction: (sum - q p) / R for q < R, plus p. The sum is below 2^-11 p
 * R, so the result is above 0 and below 2 p. */
LANES_INLINE lanes mat64_reduce(const void *ctx, struct mat64_sum sum)
{
    const struct prime_ctx *prime = ctx;
    const uint64_t p = prime->mont.n;
    const lanes inverse = lanes_all(prime->mont.inverse);
    lanes x;

#if defined(__AVX512IFMA__)
    /* R = 2^52. The instruction multiplies 52 bits and ignores the others. */
    lanes q = lanes_add_low52(lanes_all(0), sum.low, inverse);
    lanes taken = lanes_add_high52(q * (p >> 52), q, lanes_all(p));

    x = sum.high + p + (sum.low >> 52) - taken;
#else
    /* R = 2^64 in two steps of 32 bits. The intermediate sum may be negative, so 2^63 is added to
     * it, of which 2^31 remains after the second step. */
    const lanes p0 = lanes_all(p), p1 = lanes_all(p >> 32);
    lanes q = lanes_mul(sum.low, inverse);

    x = sum.high + (UINT64_C(1) << 63) + (sum.low >> 32);
    x -= lanes_mul(q, p0) >> 32;
    x -= lanes_mul(q, p1);
    q = lanes_mul(x, inverse);
    x = (x >> 32) + (p - (UINT64_C(1) << 31));
    x -= lanes_mul(q, p0) >> 32;
    x -= lanes_mul(q, p1);
#endif
    return lanes_wrap(x, lanes_all(p));
}

static const struct blocks_kernel *kernel(const struct prime_ctx *ctx)
{
    if (ctx->elem_size == sizeof(uint64_t))
        return &mat64_kernel;
#if LANES > 1
    if (ctx->elem_size <= sizeof(uint16_t))
        return mat16_kernel(ctx);
#endif
    return ctx->group < BLOCKS_TERMS ? &mat32_kernel_moving : &mat32_kernel;
}

static void field_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                            size_t n_in, const void *matrix, size_t n)
{
    blocks_mat_apply(kernel(ctx), ctx, FIELD_ELEM_SIZE, out, n_out, in, n_in, matrix, n);
}

static void field_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    const struct prime_ctx *prime = ctx;
    const size_t elem_size = prime->elem_size;
    const uint64_t factor = montgomery_enter(&prime->mont, hagg_load(c, 0, elem_size));

#if LANES > 1
    if (elem_size <= sizeof(uint16_t) && n >= LANES) {
        scale16_add(prime, out, hagg_load(c, 0, elem_size), a, n);
        return;
    }
#endif
    /* For short vectors, and for 8 bytes in narrow lanes, one element at a time is faster. */
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

static size_t field_sample(const void *ctx, void *out, size_t n, const void *random,
                           size_t n_random, size_t *used)
{
    const size_t elem_size = FIELD_ELEM_SIZE;
    size_t tries = 0, done = 0;

#if defined(COMPRESS16)
    if (elem_size <= sizeof(uint16_t))
        done = sample16(ctx, out, n, random, n_random / elem_size, &tries);
#endif
    random = blocks_at(random, tries, elem_size);
    out = (unsigned char *)out + done * elem_size;
    done += hagg_prime_sample(FIELD_P, elem_size, out, n - done, random,
                              n_random - tries * elem_size, used);
    *used += tries * elem_size;
    return done;
}

static int field_inv(const void *ctx, void *out, const void *a)
{
    const struct prime_ctx *prime = ctx;
    uint64_t x = hagg_load(a, 0, prime->elem_size);

    if (x == 0)
        return -1;
    x = montgomery_pow(&prime->mont, montgomery_enter(&prime->mont, x), prime->p - 2);
    hagg_store(out, 0, prime->elem_size, montgomery_leave(&prime->mont, x));
    return 0;
}
