/* The scheme from which the broken ones are made. It must pass, or their failures mean nothing. */
#include "broken-scheme.h"

BROKEN_SCHEME("sound-scheme", .abi = HAGG_PLUGIN_ABI);
