/* Counts its calls in the context, which is const. */
#include "broken-field.h"

static void add_counting(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    unsigned char *count = (unsigned char *)(uintptr_t)ctx;

    ++*count;
    sound_add(ctx, out, a, b, n);
}

BROKEN_FIELD("broken-counter", .ctx_size = 1, .add = add_counting);
