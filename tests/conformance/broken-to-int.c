/* Returns all elements as non-negative integers. */
#include "broken-field.h"

static void to_int_unsigned(const void *ctx, int64_t *out, const void *in, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++)
        out[i] = (int64_t)get(in, i);
}

BROKEN_FIELD("broken-to-int", .to_int = to_int_unsigned);
