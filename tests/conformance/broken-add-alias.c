/* Clears its output before it has read its inputs. */
#include "broken-field.h"

static void add_clearing(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    memset(out, 0, n * ELEM_SIZE);
    sound_add(ctx, out, out, a, n);
    sound_add(ctx, out, out, b, n);
}

BROKEN_FIELD("broken-add-alias", .add = add_clearing);
