/* Ignores a second parameter. */
#include "broken-prefix.h"

static int shape_lenient(SHAPE_WITH_PARAMETERS)
{
    n_params = n_params > 1 ? 1 : n_params;
    return SOUND_SHAPE_WITH;
}

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-params", .shape_with = shape_lenient);
