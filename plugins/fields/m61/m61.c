/* The field of 2^61 - 1 elements: 8 bytes each, sums of products by SIMD. */
#include <hagg/kernels.h>
#include <hagg/prime-field.h>

#include "m61.h"

static int init(void *ctx, const struct hagg_param *params, size_t n_params,
                struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    enum hagg_isa *isa = ctx;

    if (hagg_prime_no_params(params, n_params, why) != 0)
        return -1;
    *isa = hagg_isa();
    hagg_prime_info(M61_P, M61_BYTES, info);
    return 0;
}

const struct hagg_field hagg_field_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_field),
    .name = "m61",
    .summary = "integers modulo 2^61 - 1, in 8 bytes",
    .ctx_size = sizeof(enum hagg_isa),
    .init = init,
    HAGG_KERNELS_MEMBERS,
};
