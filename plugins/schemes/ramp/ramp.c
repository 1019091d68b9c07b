/*
 * The (n, k, z) ramp scheme of McEliece and Sarwate, docs/theory.md section 2. A share is the
 * value, at its holder's point, of the polynomial whose coefficients are the k - z parts followed
 * by the z random vectors, lowest first. k = z + 1 is Shamir's scheme, z = 0 a Reed-Solomon code
 * that hides nothing.
 */
#include <inttypes.h>
#include <stdio.h>

#include <hagg/plugin.h>

static int ramp_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                      char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)why;
    *shape =
        (struct hagg_scheme_shape){ .parts = k - z, .randoms = z, .symbols = 1, .uses_points = 1 };
    return 0;
}

/* Refuses equal points, because they give equal shares, so that k holders could not decode. Refuses
 * zero, because the share at zero is the first part itself. Elements are canonical, so their bytes
 * are compared. */
static int check_points(const unsigned char *points, uint32_t n, size_t elem_size,
                        char why[HAGG_WHY_SIZE])
{
    static const unsigned char zero[8];

    for (uint32_t u = 0; u < n; u++) {
        const unsigned char *point = points + u * elem_size;

        if (memcmp(point, zero, elem_size) == 0) {
            snprintf(why, HAGG_WHY_SIZE,
                     "the point of holder %" PRIu32 " of %" PRIu32
                     " is zero, which would disclose the first part",
                     u + 1, n);
            return -1;
        }
        for (uint32_t v = 0; v < u; v++) {
            if (memcmp(point, points + v * elem_size, elem_size) == 0) {
                snprintf(why, HAGG_WHY_SIZE,
                         "holders %" PRIu32 " and %" PRIu32 " of %" PRIu32 " have the same point",
                         v + 1, u + 1, n);
                return -1;
            }
        }
    }
    return 0;
}

static int ramp_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                       const void *field_ctx, const struct hagg_field_info *info,
                       const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    const size_t elem_size = info->elem_size;
    const int64_t one = 1;
    unsigned char *entry = matrix;

    (void)z;
    if (check_points(points, n, elem_size, why) != 0)
        return -1;
    memset(matrix, 0, (size_t)n * k * elem_size);
    for (uint32_t u = 0; u < n; u++) {
        const unsigned char *point = (const unsigned char *)points + u * elem_size;

        field->from_int(field_ctx, entry, &one, 1);
        entry += elem_size;
        for (uint32_t power = 1; power < k; power++, entry += elem_size)
            field->scale_add(field_ctx, entry, entry - elem_size, point, 1);
    }
    return 0;
}

HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_scheme),
    .name = "ramp",
    .summary = "polynomial values: any k of n holders decode, any z learn nothing",
    .shape = ramp_shape,
    .matrix = ramp_matrix,
};
