/* Built for an ABI that this header does not describe. */
#include "broken-field.h"

BROKEN_FIELD("broken-abi", .abi = HAGG_PLUGIN_ABI + 1);
