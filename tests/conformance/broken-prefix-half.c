/* Has a shape for parameters, but no matrix. */
#include "broken-prefix.h"

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("broken-prefix-half", .matrix_with = NULL);
