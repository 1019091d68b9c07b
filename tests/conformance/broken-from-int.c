/* Accepts one integer too many, which becomes the same element as another. */
#include "broken-field.h"

static size_t from_int_lenient(const void *ctx, void *out, const int64_t *in, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        if (in[i] < -(P - 1) / 2 || in[i] > (P - 1) / 2 + 1)
            return i;
        put(out, i, (uint64_t)(in[i] + P) % P);
    }
    return n;
}

BROKEN_FIELD("broken-from-int", .from_int = from_int_lenient);
