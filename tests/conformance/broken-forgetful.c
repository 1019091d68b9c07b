/* Gives a different result on every second call. */
#include "broken-field.h"

static void sub_alternating(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    static int calls;

    if (n == 3000 && ++calls % 2 == 0)
        sound_add(ctx, out, a, b, n);
    else
        sound_sub(ctx, out, a, b, n);
}

BROKEN_FIELD("broken-forgetful", .sub = sub_alternating);
