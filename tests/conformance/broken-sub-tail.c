/* Omits the elements after the last group of eight. */
#include "broken-field.h"

static void sub_without_tail(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    size_t whole = n < 8 ? n : n / 8 * 8;

    memmove(out, a, n * ELEM_SIZE);
    sound_sub(ctx, out, out, b, whole);
}

BROKEN_FIELD("broken-sub-tail", .sub = sub_without_tail);
