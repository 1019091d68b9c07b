/* The field of 2^61 - 1 elements: 8 bytes each, sums of products by SIMD. */
#include <hagg/cpu.h>
#include <hagg/plugin.h>
#include <hagg/prime-field.h>

#include "kernels.h"

struct m61 {
    enum hagg_isa isa;
};

static const struct m61_kernels *kernels(const void *ctx)
{
    const struct m61 *m61 = ctx;

    switch (m61->isa) {
#if defined(__x86_64__)
    case HAGG_ISA_AVX512:
        return &m61_kernels_avx512;
    case HAGG_ISA_AVX2:
        return &m61_kernels_avx2;
#endif
    default:
        return &m61_kernels_portable;
    }
}

static int m61_init(void *ctx, const struct hagg_param *params, size_t n_params,
                    struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    struct m61 *m61 = ctx;

    if (hagg_prime_no_params(params, n_params, why) != 0)
        return -1;
    m61->isa = hagg_isa();
    hagg_prime_info(M61_P, M61_BYTES, info);
    return 0;
}

static void m61_add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    kernels(ctx)->add(out, a, b, n);
}

static void m61_sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    kernels(ctx)->sub(out, a, b, n);
}

static void m61_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    kernels(ctx)->scale_add(out, c, a, n);
}

static uint64_t mul(uint64_t a, uint64_t b, uint64_t p)
{
    (void)p;
    return m61_mul(a, b);
}

static int m61_inv(const void *ctx, void *out, const void *a)
{
    (void)ctx;
    return hagg_prime_inv(M61_P, M61_BYTES, out, a, mul);
}

static size_t m61_check(const void *ctx, const void *a, size_t n)
{
    return kernels(ctx)->check(a, n);
}

static size_t m61_sample(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                         size_t *used)
{
    return kernels(ctx)->sample(out, n, random, n_random, used);
}

static size_t m61_from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    return kernels(ctx)->from_int(out, in, n);
}

static void m61_to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    kernels(ctx)->to_int(out, in, n);
}

static void m61_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                          size_t n_in, const void *matrix, size_t n)
{
    kernels(ctx)->mat_apply(out, n_out, in, n_in, matrix, n);
}

const struct hagg_field hagg_field_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_field),
    .name = "m61",
    .summary = "integers modulo 2^61 - 1, in 8 bytes",
    .ctx_size = sizeof(struct m61),
    .init = m61_init,
    .add = m61_add,
    .sub = m61_sub,
    .scale_add = m61_scale_add,
    .inv = m61_inv,
    .check = m61_check,
    .sample = m61_sample,
    .from_int = m61_from_int,
    .to_int = m61_to_int,
    .mat_apply = m61_mat_apply,
};
