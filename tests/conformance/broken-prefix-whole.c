/* Calls a whole share a prefix. */
#include "broken-prefix.h"

static int shape_whole(SHAPE_WITH_PARAMETERS)
{
    int status = SOUND_SHAPE_WITH;

    prefixes[0].symbols = 2;
    return status;
}

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-whole", .shape_with = shape_whole);
