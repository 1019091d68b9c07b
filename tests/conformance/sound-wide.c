/* The same with elements of four bytes. */
#define P         2147483647
#define ELEM_SIZE 4
#include "broken-field.h"

BROKEN_FIELD("sound-wide", .add_checked = sound_add_checked);
