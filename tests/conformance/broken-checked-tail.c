/* Checks whole groups of four only. */
#include "broken-field.h"

static size_t add_unchecked_tail(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    size_t good = sound_check(ctx, b, n / 4 * 4);

    sound_add(ctx, out, a, b, n);
    return good < n / 4 * 4 ? good : n;
}

BROKEN_FIELD("broken-checked-tail", .add_checked = add_unchecked_tail);
