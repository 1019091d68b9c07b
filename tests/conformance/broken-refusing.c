/* Refuses all values of n, k and z. */
#include "broken-scheme.h"

static int shape_never(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                       char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)k;
    (void)z;
    (void)shape;
    snprintf(why, HAGG_WHY_SIZE, "not today");
    return -1;
}

BROKEN_SCHEME("broken-refusing", .shape = shape_never);
