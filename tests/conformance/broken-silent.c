/* Refuses without a reason. */
#include "broken-scheme.h"

static int shape_silent(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                        char why[HAGG_WHY_SIZE])
{
    char unheard[HAGG_WHY_SIZE];

    (void)why;
    return sound_shape(n, k, z, shape, unheard);
}

BROKEN_SCHEME("broken-silent", .shape = shape_silent);
