/* Has a prefix for k holders. */
#include "broken-prefix.h"

static int shape_bold(SHAPE_WITH_PARAMETERS)
{
    int status = SOUND_SHAPE_WITH;

    prefixes[0].holders = 2;
    return status;
}

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-holders", .shape_with = shape_bold);
