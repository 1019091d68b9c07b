/* Finds the fault, but corrects it in the input. */
#include "broken-field.h"

static size_t add_mended(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    size_t good = sound_add_checked(ctx, out, a, b, n);

    if (good < n)
        put((void *)(uintptr_t)b, good, get(b, good) % P);
    return good;
}

BROKEN_FIELD("broken-checked-mends", .add_checked = add_mended);
