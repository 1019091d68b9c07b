/* Has the same prefix twice. */
#include "broken-prefix.h"

static int shape_twice(SHAPE_WITH_PARAMETERS)
{
    int status = SOUND_SHAPE_WITH;

    prefixes[1] = prefixes[0];
    *n_prefixes = 2;
    return status;
}

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-order", .shape_with = shape_twice);
