/* The field of 2^31 - 1 elements: 4 bytes each, sums of products by SIMD. */
#include <hagg/cpu.h>
#include <hagg/plugin.h>
#include <hagg/prime-field.h>

#include "kernels.h"

struct m31 {
    enum hagg_isa isa;
};

static const struct m31_kernels *kernels(const void *ctx)
{
    const struct m31 *m31 = ctx;

    switch (m31->isa) {
#if defined(__x86_64__)
    case HAGG_ISA_AVX512:
        return &m31_kernels_avx512;
    case HAGG_ISA_AVX2:
        return &m31_kernels_avx2;
#endif
    default:
        return &m31_kernels_portable;
    }
}

static int m31_init(void *ctx, const struct hagg_param *params, size_t n_params,
                    struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    struct m31 *m31 = ctx;

    if (hagg_prime_no_params(params, n_params, why) != 0)
        return -1;
    m31->isa = hagg_isa();
    hagg_prime_info(M31_P, M31_BYTES, info);
    return 0;
}

static void m31_add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    kernels(ctx)->add(out, a, b, n);
}

static void m31_sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    kernels(ctx)->sub(out, a, b, n);
}

static void m31_scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    kernels(ctx)->scale_add(out, c, a, n);
}

static uint64_t mul(uint64_t a, uint64_t b, uint64_t p)
{
    (void)p;
    return m31_mul((uint32_t)a, (uint32_t)b);
}

static int m31_inv(const void *ctx, void *out, const void *a)
{
    (void)ctx;
    return hagg_prime_inv(M31_P, M31_BYTES, out, a, mul);
}

static size_t m31_check(const void *ctx, const void *a, size_t n)
{
    return kernels(ctx)->check(a, n);
}

static size_t m31_sample(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                         size_t *used)
{
    return kernels(ctx)->sample(out, n, random, n_random, used);
}

static size_t m31_from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    return kernels(ctx)->from_int(out, in, n);
}

static void m31_to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    kernels(ctx)->to_int(out, in, n);
}

static void m31_mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                          size_t n_in, const void *matrix, size_t n)
{
    kernels(ctx)->mat_apply(out, n_out, in, n_in, matrix, n);
}

const struct hagg_field hagg_field_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_field),
    .name = "m31",
    .summary = "integers modulo 2^31 - 1, in 4 bytes",
    .ctx_size = sizeof(struct m31),
    .init = m31_init,
    .add = m31_add,
    .sub = m31_sub,
    .scale_add = m31_scale_add,
    .inv = m31_inv,
    .check = m31_check,
    .sample = m31_sample,
    .from_int = m31_from_int,
    .to_int = m31_to_int,
    .mat_apply = m31_mat_apply,
};
