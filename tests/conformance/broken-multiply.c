/* Multiplies in floating point: correct as long as a product has at most 53 bits. */
#define P         2147483647
#define ELEM_SIZE 4
#include "broken-field.h"

static void scale_add_rounding(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    double factor = (double)get(c, 0);

    (void)ctx;
    for (size_t i = 0; i < n; i++)
        put(out, i, (get(out, i) + (uint64_t)(factor * (double)get(a, i))) % P);
}

BROKEN_FIELD("broken-multiply", .scale_add = scale_add_rounding, .mat_apply = NULL);
