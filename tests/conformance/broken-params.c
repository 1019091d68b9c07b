/* Ignores unknown parameters. */
#include "broken-field.h"

static int init_careless(void *ctx, const struct hagg_param *params, size_t n_params,
                         struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    (void)n_params;
    return sound_init(ctx, params, 0, info, why);
}

BROKEN_FIELD("broken-params", .init = init_careless);
