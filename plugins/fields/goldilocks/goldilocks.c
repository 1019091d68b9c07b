/* The field of 2^64 - 2^32 + 1 elements, of 8 bytes each. */
#include <hagg/kernels.h>
#include <hagg/prime-field.h>

#include "goldilocks.h"

static int init(void *ctx, const struct hagg_param *params, size_t n_params,
                struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    enum hagg_isa *isa = ctx;

    if (hagg_prime_no_params(params, n_params, why) != 0)
        return -1;
    *isa = hagg_isa();
    hagg_prime_info(GOLDILOCKS_P, GOLDILOCKS_BYTES, info);
    return 0;
}

const struct hagg_field hagg_field_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_field),
    .name = "goldilocks",
    .summary = "integers modulo the prime 2^64 - 2^32 + 1, in 8 bytes",
    .ctx_size = sizeof(enum hagg_isa),
    .init = init,
    HAGG_KERNELS_MEMBERS,
};
