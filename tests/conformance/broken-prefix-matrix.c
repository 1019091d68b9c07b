/* Has another matrix for hosts that know no parameters. */
#include "broken-prefix.h"

static int plain_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                        const void *field_ctx, const struct hagg_field_info *info,
                        const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    struct hagg_param swap = { "swap", "1" };

    return prefix_matrix_with(&swap, 1, n, k, z, field, field_ctx, info, points, matrix, why);
}

BROKEN_PREFIX("broken-prefix-matrix", .abi = HAGG_PLUGIN_ABI);
