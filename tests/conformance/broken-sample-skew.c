/* Uses the larger of two tries: each try alone is correct. */
#include "broken-field.h"

static size_t sample_larger(const void *ctx, void *out, size_t n, const void *random,
                            size_t n_random, size_t *used)
{
    size_t made = sound_sample(ctx, out, n, random, n_random, used);

    for (size_t i = 1; i < made; i += 2)
        if (get(out, i) < get(out, i - 1))
            put(out, i, get(out, i - 1));
    return made;
}

BROKEN_FIELD("broken-sample-skew", .sample = sample_larger);
