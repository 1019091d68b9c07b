/* Claims more parts than the symbols of the holders determine. */
#include "broken-scheme.h"

static int shape_greedy(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                        char why[HAGG_WHY_SIZE])
{
    int status = sound_shape(n, k, z, shape, why);

    shape->parts = 2;
    return status;
}

BROKEN_SCHEME("broken-greedy", .shape = shape_greedy);
