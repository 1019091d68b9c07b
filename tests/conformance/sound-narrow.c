/* The field that the broken plugins are broken copies of: it must pass, or they fail for no reason.
 */
#include "broken-field.h"

BROKEN_FIELD("sound-narrow", .abi = HAGG_PLUGIN_ABI);
