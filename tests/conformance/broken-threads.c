/* Keeps its intermediate result in a global. */
#include "broken-field.h"

#include <sched.h>

static uint64_t sums[64];

static void scale_add_global(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    (void)ctx;
    for (size_t at = 0; at < n; at += 64) {
        size_t len = n - at < 64 ? n - at : 64;

        for (size_t i = 0; i < len; i++)
            sums[i] = get(out, at + i) + get(c, 0) * get(a, at + i);
        /* The other thread may run here; for the test it always does. */
        sched_yield();
        for (size_t i = 0; i < len; i++)
            put(out, at + i, sums[i] % P);
    }
}

BROKEN_FIELD("broken-threads", .scale_add = scale_add_global, .mat_apply = NULL);
