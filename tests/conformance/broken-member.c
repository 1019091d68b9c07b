/* Omits a function that has no default. */
#include "broken-field.h"

BROKEN_FIELD("broken-member", .inv = NULL);
