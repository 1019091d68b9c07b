/* Writes one entry beyond the matrix. */
#include "broken-scheme.h"

static int matrix_overrunning(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                              const void *field_ctx, const struct hagg_field_info *info,
                              const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    memset((unsigned char *)matrix + (size_t)n * n * info->elem_size, 0, 1);
    return sound_matrix(n, k, z, field, field_ctx, info, points, matrix, why);
}

BROKEN_SCHEME("broken-matrix-overrun", .matrix = matrix_overrunning);
