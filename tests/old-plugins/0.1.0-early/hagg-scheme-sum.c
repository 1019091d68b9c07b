/*
 * sum: n of n sharing in which neighbours cancel each other.
 *
 * A whole scheme plugin, to copy from. A scheme is only a matrix: hagg multiplies it with the
 * secret and the random vectors to share, and inverts it to decode. With random vectors r1, r2, ...
 * the shares of a secret s among four holders are
 *
 *     holder 0:  s - r1
 *     holder 1:  r1 - r2
 *     holder 2:  r2 - r3
 *     holder 3:  r3
 *
 * which add up to s. Any three of them are uniform and independent of s.
 */
#include <stdio.h>

#include <hagg/plugin.h>

/* There is one form for each n, so k and z are only compared with it. */
static int sum_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                     char why[HAGG_WHY_SIZE])
{
    if (k != n) {
        snprintf(why, HAGG_WHY_SIZE, "sum needs all %u holders to decode, not any %u", n, k);
        return -1;
    }
    if (z != n - 1) {
        snprintf(why, HAGG_WHY_SIZE, "sum hides the secret from any %u holders, not from %u", n - 1,
                 z);
        return -1;
    }
    *shape = (struct hagg_scheme_shape){ .parts = 1, .randoms = n - 1, .symbols = 1 };
    return 0;
}

/* The only field functions needed are from_int for one, and sub for minus one: a scheme knows
 * nothing of how a field's elements look, except that zero bytes are zero. */
static int sum_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                      const void *field_ctx, const struct hagg_field_info *info, const void *points,
                      void *matrix, char why[HAGG_WHY_SIZE])
{
    const size_t elem_size = info->elem_size, row_bytes = n * elem_size;
    const int64_t one = 1;

    (void)k;
    (void)z;
    (void)points;
    (void)why;
    memset(matrix, 0, n * row_bytes);
    for (uint32_t u = 0; u < n; u++) {
        unsigned char *added = (unsigned char *)matrix + u * row_bytes + u * elem_size;
        unsigned char *taken = added + elem_size;

        field->from_int(field_ctx, added, &one, 1);
        if (u + 1 < n)
            field->sub(field_ctx, taken, taken, added, 1);
    }
    return 0;
}

HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = sizeof(struct hagg_scheme),
    .name = "sum",
    .summary = "differences that add up: all n holders decode, any n - 1 learn nothing",
    .shape = sum_shape,
    .matrix = sum_matrix,
};
