/* Polynomial values at any points, even zero and equal ones. */
#include "broken-scheme.h"

static int shape_ramp(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                      char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)why;
    *shape =
        (struct hagg_scheme_shape){ .parts = k - z, .randoms = z, .symbols = 1, .uses_points = 1 };
    return 0;
}

static int matrix_careless(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                           const void *field_ctx, const struct hagg_field_info *info,
                           const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    unsigned char *entry = matrix;
    const int64_t one = 1;

    (void)z;
    (void)why;
    memset(matrix, 0, (size_t)n * k * info->elem_size);
    for (uint32_t u = 0; u < n; u++, entry += info->elem_size) {
        field->from_int(field_ctx, entry, &one, 1);
        for (uint32_t power = 1; power < k; power++, entry += info->elem_size)
            field->scale_add(field_ctx, entry + info->elem_size, entry,
                             (const unsigned char *)points + u * info->elem_size, 1);
    }
    return 0;
}

BROKEN_SCHEME("broken-points", .shape = shape_ramp, .matrix = matrix_careless);
