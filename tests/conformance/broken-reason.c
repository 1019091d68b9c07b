/* Refuses without a reason. */
#include "broken-field.h"

static int init_silent(void *ctx, const struct hagg_param *params, size_t n_params,
                       struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    (void)why;
    return n_params == 0 ? sound_init(ctx, params, 0, info, why) : -1;
}

BROKEN_FIELD("broken-reason", .init = init_silent);
