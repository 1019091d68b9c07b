/*
 * A correct scheme with a prefix for plugins with a single fault, as broken-scheme.h for schemes
 * without: two of three holders decode, and three from the first symbol of their shares. For the
 * parts a and b and the random vectors r and s, the symbols at the point x are r + a x + b x^2 and
 * s + b x. With the parameter swap=1, a and b are exchanged.
 */
#ifndef BROKEN_PREFIX_H
#define BROKEN_PREFIX_H

#include <stdbool.h>
#include <stdio.h>

#include <hagg/plugin.h>

enum { SYMBOLS = 2, COLUMNS = 4 };

static inline int swap_of(const struct hagg_param *params, size_t n_params, bool *swap,
                          char why[HAGG_WHY_SIZE])
{
    *swap =
        n_params == 1 && strcmp(params[0].key, "swap") == 0 && strcmp(params[0].value, "1") == 0;
    if (n_params == 0 || *swap)
        return 0;
    snprintf(why, HAGG_WHY_SIZE, "the only parameter is swap=1");
    return -1;
}

static inline int prefix_shape_with(const struct hagg_param *params, size_t n_params, uint32_t n,
                                    uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                                    struct hagg_scheme_prefix prefixes[HAGG_SCHEME_PREFIXES],
                                    uint32_t *n_prefixes, char why[HAGG_WHY_SIZE])
{
    bool swap;

    if (swap_of(params, n_params, &swap, why))
        return -1;
    if (n != 3 || k != 2 || z != 1) {
        snprintf(why, HAGG_WHY_SIZE, "only n = 3, k = 2, z = 1");
        return -1;
    }
    *shape = (struct hagg_scheme_shape){
        .parts = 2, .randoms = 2, .symbols = SYMBOLS, .uses_points = 1
    };
    *n_prefixes = 1;
    prefixes[0] = (struct hagg_scheme_prefix){ .holders = 3, .symbols = 1 };
    return 0;
}

/* The entry of a symbol of a holder in a column. */
static inline void *entry(void *matrix, uint32_t holder, uint32_t symbol, uint32_t column,
                          size_t size)
{
    return (unsigned char *)matrix + ((holder * SYMBOLS + symbol) * COLUMNS + column) * size;
}

static inline int prefix_matrix_with(const struct hagg_param *params, size_t n_params, uint32_t n,
                                     uint32_t k, uint32_t z, const struct hagg_field *field,
                                     const void *field_ctx, const struct hagg_field_info *info,
                                     const void *points, void *matrix, char why[HAGG_WHY_SIZE])
{
    const unsigned char *x = points;
    size_t size = info->elem_size;
    const int64_t one = 1;
    bool swap;

    (void)k;
    (void)z;
    if (swap_of(params, n_params, &swap, why))
        return -1;
    memset(matrix, 0, n * SYMBOLS * COLUMNS * size);
    for (uint32_t u = 0; u < n; u++, x += size) {
        for (uint32_t v = 0; v < u; v++)
            if (memcmp(x, (const unsigned char *)points + v * size, size) == 0) {
                snprintf(why, HAGG_WHY_SIZE, "equal points");
                return -1;
            }
        memcpy(entry(matrix, u, 0, swap, size), x, size);
        field->scale_add(field_ctx, entry(matrix, u, 0, !swap, size), x, x, 1);
        memcpy(entry(matrix, u, 1, !swap, size), x, size);
        field->from_int(field_ctx, entry(matrix, u, 0, 2, size), &one, 1);
        field->from_int(field_ctx, entry(matrix, u, 1, 3, size), &one, 1);
    }
    return 0;
}

static inline int prefix_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                               char why[HAGG_WHY_SIZE])
{
    struct hagg_scheme_prefix prefixes[HAGG_SCHEME_PREFIXES];
    uint32_t n_prefixes;

    return prefix_shape_with(NULL, 0, n, k, z, shape, prefixes, &n_prefixes, why);
}

/* Defines the matrix without parameters by that with parameters. */
#define PLAIN_MATRIX(plain, with)                                                                  \
    static int plain(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,           \
                     const void *field_ctx, const struct hagg_field_info *info,                    \
                     const void *points, void *matrix, char why[HAGG_WHY_SIZE])                    \
    {                                                                                              \
        return with(NULL, 0, n, k, z, field, field_ctx, info, points, matrix, why);                \
    }

/* Members are initialised twice on purpose. */
#pragma GCC diagnostic ignored "-Woverride-init"

#define BROKEN_PREFIX(plugin_name, ...)                                                            \
    HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin = {                             \
        .abi = HAGG_PLUGIN_ABI,                                                                    \
        .size = sizeof(struct hagg_scheme),                                                        \
        .name = plugin_name,                                                                       \
        .summary = "not for use",                                                                  \
        .shape = prefix_shape,                                                                     \
        .matrix = plain_matrix,                                                                    \
        .shape_with = prefix_shape_with,                                                           \
        .matrix_with = prefix_matrix_with,                                                         \
        __VA_ARGS__                                                                                \
    }

/* The parameters of shape_with and matrix_with, for functions that change their results. */
#define SHAPE_WITH_PARAMETERS                                                                      \
    const struct hagg_param *params, size_t n_params, uint32_t n, uint32_t k, uint32_t z,          \
        struct hagg_scheme_shape *shape, struct hagg_scheme_prefix prefixes[HAGG_SCHEME_PREFIXES], \
        uint32_t *n_prefixes, char why[HAGG_WHY_SIZE]
#define MATRIX_WITH_PARAMETERS                                                                     \
    const struct hagg_param *params, size_t n_params, uint32_t n, uint32_t k, uint32_t z,          \
        const struct hagg_field *field, const void *field_ctx, const struct hagg_field_info *info, \
        const void *points, void *matrix, char why[HAGG_WHY_SIZE]
#define SOUND_SHAPE_WITH                                                                           \
    prefix_shape_with(params, n_params, n, k, z, shape, prefixes, n_prefixes, why)
#define SOUND_MATRIX_WITH                                                                          \
    prefix_matrix_with(params, n_params, n, k, z, field, field_ctx, info, points, matrix, why)

#endif
