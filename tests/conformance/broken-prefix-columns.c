/* The first symbol also contains the second random vector. */
#include "broken-prefix.h"

static int matrix_mixed(MATRIX_WITH_PARAMETERS)
{
    const int64_t one = 1;
    int status = SOUND_MATRIX_WITH;

    for (uint32_t u = 0; status == 0 && u < n; u++)
        field->from_int(field_ctx, entry(matrix, u, 0, 3, info->elem_size), &one, 1);
    return status;
}

PLAIN_MATRIX(plain_matrix, matrix_mixed)
BROKEN_PREFIX("broken-prefix-columns", .matrix_with = matrix_mixed);
