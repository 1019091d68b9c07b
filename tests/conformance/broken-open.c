/* Forgets to hide the share of the last holder when there are three. */
#include "broken-scheme.h"

static int matrix_open(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                       const void *field_ctx, const struct hagg_field_info *info,
                       const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    int status = sound_matrix(n, k, z, field, field_ctx, info, points, matrix, why);

    if (n == 3)
        memset((unsigned char *)matrix + 7 * info->elem_size, 0, 2 * info->elem_size);
    return status;
}

BROKEN_SCHEME("broken-open", .matrix = matrix_open);
