/* With its parameter, the second symbol has no random vector. Without it, all is well. */
#include "broken-prefix.h"

static int matrix_open(MATRIX_WITH_PARAMETERS)
{
    int status = SOUND_MATRIX_WITH;

    for (uint32_t u = 0; status == 0 && n_params > 0 && u < n; u++)
        memset(entry(matrix, u, 1, 3, info->elem_size), 0, info->elem_size);
    return status;
}

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-open", .matrix_with = matrix_open);
