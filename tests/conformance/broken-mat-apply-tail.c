/* Omits the last elements of long vectors. */
#include "broken-field.h"

static void mat_apply_without_tail(const void *ctx, void *const *out, size_t n_out,
                                   const void *const *in, size_t n_in, const void *matrix, size_t n)
{
    sound_mat_apply(ctx, out, n_out, in, n_in, matrix, n < 4096 ? n : n / 64 * 64);
}

BROKEN_FIELD("broken-mat-apply-tail", .mat_apply = mat_apply_without_tail);
