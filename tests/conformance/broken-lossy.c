/* Gives the last holder nothing when there are five. */
#include "broken-scheme.h"

static int matrix_lossy(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                        const void *field_ctx, const struct hagg_field_info *info,
                        const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    int status = sound_matrix(n, k, z, field, field_ctx, info, points, matrix, why);

    if (n == 5)
        memset((unsigned char *)matrix + 20 * info->elem_size, 0, 5 * info->elem_size);
    return status;
}

BROKEN_SCHEME("broken-lossy", .matrix = matrix_lossy);
