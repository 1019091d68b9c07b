/*
 * A correct n of n scheme for plugins with a single fault, as broken-field.h for fields. Holder u
 * has the random vector u; the last holder has the secret minus the sum of these vectors.
 */
#ifndef BROKEN_SCHEME_H
#define BROKEN_SCHEME_H

#include <stdio.h>

#include <hagg/plugin.h>

static inline int sound_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                              char why[HAGG_WHY_SIZE])
{
    if (k != n || z != n - 1) {
        snprintf(why, HAGG_WHY_SIZE, "only n of n");
        return -1;
    }
    *shape = (struct hagg_scheme_shape){ .parts = 1, .randoms = n - 1, .symbols = 1 };
    return 0;
}

static inline int sound_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                               const void *field_ctx, const struct hagg_field_info *info,
                               const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    unsigned char *m = matrix;
    const int64_t one = 1;

    (void)k;
    (void)z;
    (void)points;
    (void)why;
    memset(m, 0, (size_t)n * n * info->elem_size);
    for (uint32_t u = 0; u < n; u++) {
        unsigned char *own = m + ((size_t)u * n + (u + 1) % n) * info->elem_size;
        unsigned char *last = m + ((size_t)(n - 1) * n + u + 1) * info->elem_size;

        field->from_int(field_ctx, own, &one, 1);
        if (u + 1 < n)
            field->sub(field_ctx, last, last, own, 1);
    }
    return 0;
}

/* Members are initialised twice on purpose. */
#pragma GCC diagnostic ignored "-Woverride-init"

#define BROKEN_SCHEME(plugin_name, ...)                                                            \
    HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin = { .abi = HAGG_PLUGIN_ABI,     \
                                                                       .size = sizeof(             \
                                                                           struct hagg_scheme),    \
                                                                       .name = plugin_name,        \
                                                                       .summary = "not for use",   \
                                                                       .shape = sound_shape,       \
                                                                       .matrix = sound_matrix,     \
                                                                       __VA_ARGS__ }

#endif
