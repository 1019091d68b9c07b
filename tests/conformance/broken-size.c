/* Built with a struct that ends too early. */
#include "broken-field.h"

BROKEN_FIELD("broken-size", .size = offsetof(struct hagg_field, from_int));
