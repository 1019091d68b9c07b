/* Claims more prefixes than fit. */
#include "broken-prefix.h"

static int shape_many(SHAPE_WITH_PARAMETERS)
{
    int status = SOUND_SHAPE_WITH;

    *n_prefixes = HAGG_SCHEME_PREFIXES + 1;
    return status;
}

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-many", .shape_with = shape_many);
