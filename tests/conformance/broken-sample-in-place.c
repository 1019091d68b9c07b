/* Writes an element before it reads the byte at the same address. */
#include "broken-field.h"

static size_t sample_ahead(const void *ctx, void *out, size_t n, const void *random,
                           size_t n_random, size_t *used)
{
    memset(out, 0, n * ELEM_SIZE);
    return sound_sample(ctx, out, n, random, n_random, used);
}

BROKEN_FIELD("broken-sample-in-place", .sample = sample_ahead);
