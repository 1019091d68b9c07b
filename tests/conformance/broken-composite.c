/* Numbers modulo 13 * 19: most have inverses, but this is not a field. */
#define P 247
#include "broken-field.h"

BROKEN_FIELD("broken-composite", .abi = HAGG_PLUGIN_ABI);
