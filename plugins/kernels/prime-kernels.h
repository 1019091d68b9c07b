/*
 * prime-kernels.h - one build of a prime field's functions, for hagg/kernels.h.
 *
 * A field's kernels.c defines FIELD_P and FIELD_ELEM_SIZE, as constants or as expressions of ctx,
 * includes this header, and defines the functions declared first, which multiply. All others are
 * here, and so is the symbol of the build. The contracts are those of hagg/plugin.h.
 */
#ifndef PRIME_KERNELS_H
#define PRIME_KERNELS_H

#include <hagg/kernels.h>
#include <hagg/prime-field.h>

static void field_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n);
static void field_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                            size_t n_in, const void *matrix, size_t n);

/* A field whose product depends on more than p defines FIELD_OWN_INV and its own field_inv. */
#if defined(FIELD_OWN_INV)
static int field_inv(const void *ctx, void *out, const void *a);
#else
static uint64_t field_mul(uint64_t a, uint64_t b, uint64_t p);

static int field_inv(const void *ctx, void *out, const void *a)
{
    (void)ctx;
    return hagg_prime_inv(FIELD_P, FIELD_ELEM_SIZE, out, a, field_mul);
}
#endif

static void field_add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    hagg_prime_add(FIELD_P, FIELD_ELEM_SIZE, out, a, b, n);
}

static void field_sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    hagg_prime_sub(FIELD_P, FIELD_ELEM_SIZE, out, a, b, n);
}

static size_t field_check(const void *ctx, const void *a, size_t n)
{
    (void)ctx;
    return hagg_prime_check(FIELD_P, FIELD_ELEM_SIZE, a, n);
}

static size_t field_add_checked(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    return hagg_prime_add_checked(FIELD_P, FIELD_ELEM_SIZE, out, a, b, n);
}

/* A field with a faster way to sample defines FIELD_OWN_SAMPLE and its own field_sample. */
#if defined(FIELD_OWN_SAMPLE)
static size_t field_sample(const void *ctx, void *out, size_t n, const void *random,
                           size_t n_random, size_t *used);
#else
static size_t field_sample(const void *ctx, void *out, size_t n, const void *random,
                           size_t n_random, size_t *used)
{
    (void)ctx;
    return hagg_prime_sample(FIELD_P, FIELD_ELEM_SIZE, out, n, random, n_random, used);
}
#endif

static size_t field_from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    (void)ctx;
    return hagg_prime_from_int(FIELD_P, FIELD_ELEM_SIZE, out, in, n);
}

static void field_to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    (void)ctx;
    hagg_prime_to_int(FIELD_P, FIELD_ELEM_SIZE, out, in, n);
}

const struct hagg_field HAGG_KERNELS(hagg_kernels) = {
    .add = field_add,
    .sub = field_sub,
    .scale_add = field_scale_add,
    .inv = field_inv,
    .check = field_check,
    .sample = field_sample,
    .from_int = field_from_int,
    .to_int = field_to_int,
    .mat_apply = field_mat_apply,
    .add_checked = field_add_checked,
};

#endif
