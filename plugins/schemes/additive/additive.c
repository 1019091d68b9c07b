/*
 * Additive sharing, n of n: every holder except the last has a random vector, and the last has the
 * secret minus all of these. It is cheaper than polynomials and works over every field, but no
 * share may be missing.
 */
#include <inttypes.h>
#include <stdio.h>

#include <hagg/plugin.h>

static int additive_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                          char why[HAGG_WHY_SIZE])
{
    if (k != n || z != n - 1) {
        snprintf(why, HAGG_WHY_SIZE,
                 "additive sharing among %" PRIu32 " needs k = %" PRIu32 " and z = %" PRIu32
                 ", not k = %" PRIu32 " and z = %" PRIu32,
                 n, n, n - 1, k, z);
        return -1;
    }
    *shape = (struct hagg_scheme_shape){ .parts = 1, .randoms = z, .symbols = 1, .uses_points = 0 };
    return 0;
}

static int additive_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                           const void *field_ctx, const struct hagg_field_info *info,
                           const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    const size_t elem_size = info->elem_size;
    const int64_t one = 1;
    unsigned char *last = (unsigned char *)matrix + (size_t)(n - 1) * n * elem_size;

    (void)k;
    (void)z;
    (void)points;
    (void)why;
    memset(matrix, 0, (size_t)n * n * elem_size);
    field->from_int(field_ctx, last, &one, 1);
    for (uint32_t u = 0; u + 1 < n; u++) {
        unsigned char *own = (unsigned char *)matrix + ((size_t)u * n + u + 1) * elem_size;
        unsigned char *taken = last + (size_t)(u + 1) * elem_size;

        field->from_int(field_ctx, own, &one, 1);
        field->sub(field_ctx, taken, taken, own, 1);
    }
    return 0;
}

HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_scheme),
    .name = "additive",
    .summary = "random summands: all n holders decode, any n - 1 learn nothing",
    .shape = additive_shape,
    .matrix = additive_matrix,
};
