/* Bytes modulo 256, described as the field of 256 elements. */
#define P 256
#include "broken-field.h"

static int init_claiming(void *ctx, const struct hagg_param *params, size_t n_params,
                         struct hagg_field_info *info, char why[HAGG_WHY_SIZE])
{
    int status = sound_init(ctx, params, n_params, info, why);

    info->characteristic = 2;
    info->int_min = -128;
    return status;
}

BROKEN_FIELD("broken-characteristic", .init = init_claiming);
