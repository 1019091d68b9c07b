/* The last sum of every group of 16 is wrong. */
#include "broken-field.h"

static size_t add_all_but_one(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    size_t good = sound_add_checked(ctx, out, a, b, n);

    for (size_t i = 15; i < good && good == n; i += 16)
        put(out, i, (get(out, i) + 1) % P);
    return good;
}

BROKEN_FIELD("broken-checked-sum", .add_checked = add_all_but_one);
