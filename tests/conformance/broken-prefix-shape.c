/* Describes another shape to hosts that know no parameters. */
#include "broken-prefix.h"

static int shape_wasteful(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                          char why[HAGG_WHY_SIZE])
{
    int status = prefix_shape(n, k, z, shape, why);

    shape->randoms = 3;
    return status;
}

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-shape", .shape = shape_wasteful);
