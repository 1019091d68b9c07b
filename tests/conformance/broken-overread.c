/* Reads one element ahead, like a vector loop that loads too early. */
#include "broken-field.h"

static size_t check_ahead(const void *ctx, const void *a, size_t n)
{
    volatile uint64_t ahead = get(a, n);

    (void)ahead;
    return sound_check(ctx, a, n);
}

BROKEN_FIELD("broken-overread", .check = check_ahead);
