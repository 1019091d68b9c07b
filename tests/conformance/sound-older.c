/* Of the time before add_checked: what stands there is not the plugin's, and not to be looked at.
 */
#include "broken-field.h"

BROKEN_FIELD("sound-older", .size = offsetof(struct hagg_field, add_checked),
             .add_checked = (size_t(*)(const void *, void *, const void *, const void *, size_t))1);
