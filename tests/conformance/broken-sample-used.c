/* Reports that it used all of the bytes. */
#include "broken-field.h"

static size_t sample_wasting(const void *ctx, void *out, size_t n, const void *random,
                             size_t n_random, size_t *used)
{
    size_t made = sound_sample(ctx, out, n, random, n_random, used);

    *used = n_random / ELEM_SIZE * ELEM_SIZE;
    return made;
}

BROKEN_FIELD("broken-sample-used", .sample = sample_wasting);
