/* Works on whole groups of four elements, even if the last is not full. */
#include "broken-field.h"

static void add_by_fours(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    sound_add(ctx, out, a, b, (n + 3) / 4 * 4);
}

BROKEN_FIELD("broken-add-overrun", .add = add_by_fours);
