/* The scheme from which the broken ones with prefixes are made. It must pass, with its parameter
 * and without, or their failures mean nothing. */
#include "broken-prefix.h"

PLAIN_MATRIX(plain_matrix, prefix_matrix_with)
BROKEN_PREFIX("sound-prefix", .abi = HAGG_PLUGIN_ABI);
