/* Numbers modulo 13 * 19: most have inverses, but it is no field. */
#define P 247
#include "broken-field.h"

BROKEN_FIELD("broken-composite", .abi = HAGG_PLUGIN_ABI);
