/* Does not reduce a sum that equals the order. */
#define P         2147483647
#define ELEM_SIZE 4
#include "broken-field.h"

static void add_unreduced(const void *ctx, void *out, const void *a, const void *b, size_t n)
{
    (void)ctx;
    for (size_t i = 0; i < n; i++) {
        uint64_t sum = get(a, i) + get(b, i);

        put(out, i, sum > P ? sum - P : sum);
    }
}

BROKEN_FIELD("broken-add-reduce", .add = add_unreduced);
