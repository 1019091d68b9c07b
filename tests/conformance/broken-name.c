/* Has another name than its file. */
#include "broken-field.h"

BROKEN_FIELD("another-name", .abi = HAGG_PLUGIN_ABI);
