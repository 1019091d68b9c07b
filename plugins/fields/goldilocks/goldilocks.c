/*
 * goldilocks.c - the field of 2^64 - 2^32 + 1 elements, which fill 8 bytes.
 */
#include <hagg/cpu.h>
#include <hagg/prime-field.h>

#include "kernels.h"

struct goldilocks_ctx {
    enum hagg_isa isa;
};

static const struct goldilocks_kernels *kernels(const void *ctx)
{
#if defined(__x86_64__)
    switch (((const struct goldilocks_ctx *)ctx)->isa) {
    case HAGG_ISA_AVX512:
        return &goldilocks_kernels_avx512;
    case HAGG_ISA_AVX2:
        return &goldilocks_kernels_avx2;
    case HAGG_ISA_PORTABLE:
        break;
    }
#endif
    (void)ctx;
    return &goldilocks_kernels_portable;
}

static int init(void *ctx, const struct hagg_param *params, size_t n_params,
                struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    struct goldilocks_ctx *goldilocks = ctx;

    if (hagg_prime_no_params(params, n_params, why) != 0)
        return -1;
    goldilocks->isa = hagg_isa();
    hagg_prime_info(GOLDILOCKS_P, sizeof(uint64_t), info);
    return 0;
}

static void add(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    kernels(ctx)->add(ctx, out, a, b, n);
}

static void sub(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    kernels(ctx)->sub(ctx, out, a, b, n);
}

static void scale_add(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    kernels(ctx)->scale_add(ctx, out, c, a, n);
}

static int inv(const void *ctx, void *out, const void *a)
{
    return kernels(ctx)->inv(ctx, out, a);
}

static size_t check(const void *ctx, const void *a, size_t n)
{
    return kernels(ctx)->check(ctx, a, n);
}

static size_t sample(const void *ctx, void *out, size_t n, const void *random, size_t n_random,
                     size_t *used)
{
    return kernels(ctx)->sample(ctx, out, n, random, n_random, used);
}

static size_t from_int(const void *ctx, void *out, const int64_t *in, size_t n)
{
    return kernels(ctx)->from_int(ctx, out, in, n);
}

static void to_int(const void *ctx, int64_t *out, const void *in, size_t n)
{
    kernels(ctx)->to_int(ctx, out, in, n);
}

static void mat_apply(const void *ctx, void *const *out, size_t n_out, const void *const *in,
                      size_t n_in, const void *matrix, size_t n)
{
    kernels(ctx)->mat_apply(ctx, out, n_out, in, n_in, matrix, n);
}

const struct hagg_field hagg_field_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_field),
    .name = "goldilocks",
    .summary = "integers modulo the prime 2^64 - 2^32 + 1, in 8 bytes",
    .ctx_size = sizeof(struct goldilocks_ctx),
    .init = init,
    .add = add,
    .sub = sub,
    .scale_add = scale_add,
    .inv = inv,
    .check = check,
    .sample = sample,
    .from_int = from_int,
    .to_int = to_int,
    .mat_apply = mat_apply,
};
