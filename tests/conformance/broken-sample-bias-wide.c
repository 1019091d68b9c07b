/* Reduces words instead of rejecting them: two of 2^31 - 1 elements have one word too many. */
#define P         2147483647
#define ELEM_SIZE 4
#include "broken-field.h"

static size_t sample_reducing(const void *ctx, void *out, size_t n, const void *random,
                              size_t n_random, size_t *used)
{
    size_t made = 0;

    (void)ctx;
    for (; made < n && made < n_random / ELEM_SIZE; made++)
        put(out, made, get(random, made) % P);
    *used = made * ELEM_SIZE;
    return made;
}

BROKEN_FIELD("broken-sample-bias-wide", .sample = sample_reducing);
