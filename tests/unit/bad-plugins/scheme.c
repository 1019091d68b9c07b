/*
 * A scheme that does something else for every k, from 1 on: no parts, no symbols, too many of each
 * unless z is 1, a refusal without NUL, an empty refusal, and a matrix that it then refuses.
 */
#include <stdio.h>

#include <hagg/plugin.h>

#ifndef PLUGIN_SIZE
#define PLUGIN_SIZE sizeof(struct hagg_scheme)
#endif

static int s_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                   char why[HAGG_WHY_SIZE])
{
    (void)n;
    *shape = (struct hagg_scheme_shape){ .parts = 1, .randoms = 0, .symbols = 1 };
    switch (k) {
    case 1:
        shape->parts = 0;
        return 0;
    case 2:
        shape->symbols = 0;
        return 0;
    case 3:
        shape->parts = 65536 - z;
        return 0;
    case 4:
        shape->randoms = 65536 - z;
        return 0;
    case 5:
        shape->symbols = 65536 - z;
        return 0;
    case 6:
        memset(why, 'y', HAGG_WHY_SIZE); /* without NUL */
        return -1;
    case 7:
        return -1;
    default:
        /* more symbols than shares of other schemes, and fewer columns than rows */
        shape->parts = 2;
        shape->randoms = 1;
        shape->symbols = 3;
        return 0;
    }
}

static int s_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *field,
                    const void *field_ctx, const struct hagg_field_info *info, const void *points,
                    void *matrix, char why[HAGG_WHY_SIZE])
{
    (void)z;
    (void)field;
    (void)field_ctx;
    if (k == 8) {
        snprintf(why, HAGG_WHY_SIZE, "points %s", points ? "given" : "not given");
        return -1;
    }
    for (size_t i = 0; i < (size_t)n * 3 * 3; i++)
        hagg_store(matrix, i, info->elem_size, i % 5);
    return 0;
}

static int s_block(const struct hagg_scheme_block *block, const struct hagg_field *field,
                   const void *field_ctx, const struct hagg_field_info *info, void *matrix,
                   char why[HAGG_WHY_SIZE])
{
    (void)block;
    (void)field;
    (void)field_ctx;
    (void)info;
    (void)matrix;
    (void)why;
    return -1;
}

HAGG_PLUGIN_EXPORT const struct hagg_scheme hagg_scheme_plugin = {
    .abi = HAGG_PLUGIN_ABI,
    .size = PLUGIN_SIZE,
    .name = PLUGIN_NAME,
    .summary = "none that could be used",
    .shape = LACKS_SHAPE ? NULL : s_shape,
    .matrix = LACKS_MATRIX ? NULL : s_matrix,
    .block = s_block,
};
