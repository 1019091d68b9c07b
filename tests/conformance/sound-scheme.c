/* The scheme that the broken ones are broken copies of: it must pass, or they fail for no reason.
 */
#include "broken-scheme.h"

BROKEN_SCHEME("sound-scheme", .abi = HAGG_PLUGIN_ABI);
