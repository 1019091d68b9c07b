/* Adds up products in 24 bits: correct until there are many large ones. */
#include "broken-field.h"

static void mat_apply_overflowing(const void *ctx, void *const *out, size_t n_out,
                                  const void *const *in, size_t n_in, const void *matrix, size_t n)
{
    (void)ctx;
    for (size_t r = 0; r < n_out; r++)
        for (size_t i = 0; i < n; i++) {
            uint64_t sum = 0;

            for (size_t c = 0; c < n_in; c++)
                sum = (sum + get(matrix, r * n_in + c) * get(in[c], i)) & 0xffffff;
            put(out[r], i, sum % P);
        }
}

BROKEN_FIELD("broken-mat-apply-overflow", .mat_apply = mat_apply_overflowing);
