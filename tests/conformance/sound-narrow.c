/* The field from which the broken plugins are made. It must pass, or their failures mean nothing.
 */
#include "broken-field.h"

BROKEN_FIELD("sound-narrow", .abi = HAGG_PLUGIN_ABI);
