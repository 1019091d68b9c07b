/* Reduces bytes that it should reject, so 0 .. 4 are twice as likely. */
#include "broken-field.h"

static size_t sample_reducing(const void *ctx, void *out, size_t n, const void *random,
                              size_t n_random, size_t *used)
{
    size_t made = 0;

    (void)ctx;
    for (; made < n && made < n_random; made++)
        put(out, made, get(random, made) % P);
    *used = made;
    return made;
}

BROKEN_FIELD("broken-sample-bias", .sample = sample_reducing);
