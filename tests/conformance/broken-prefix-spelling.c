/* Accepts a second spelling of its parameter. */
#include "broken-prefix.h"

static int shape_lenient(SHAPE_WITH_PARAMETERS)
{
    struct hagg_param param;

    if (n_params == 1) {
        param = params[0];
        param.value += strspn(param.value, "0");
        params = &param;
    }
    return SOUND_SHAPE_WITH;
}

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-spelling", .shape_with = shape_lenient);
