/* A plugin from before add_checked: the memory after its struct is not part of it and must not be
 * read. */
#include "broken-field.h"

BROKEN_FIELD("sound-older", .size = offsetof(struct hagg_field, add_checked),
             .add_checked = (size_t(*)(const void *, void *, const void *, const void *, size_t))1);
