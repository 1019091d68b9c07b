/* The first symbol lacks the second part: two whole shares decode, but no prefixes. */
#include "broken-prefix.h"

static int matrix_lossy(MATRIX_WITH_PARAMETERS)
{
    int status = SOUND_MATRIX_WITH;

    for (uint32_t u = 0; status == 0 && u < n; u++)
        memset(entry(matrix, u, 0, 1, info->elem_size), 0, info->elem_size);
    return status;
}

PLAIN_MATRIX(plain_matrix, matrix_lossy)
BROKEN_PREFIX("broken-prefix-lossy", .matrix_with = matrix_lossy);
