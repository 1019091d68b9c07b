/* Claims that 0 has an inverse. */
#include "broken-field.h"

static int inv_of_all(const void *ctx, void *out, const void *a)
{
    if (sound_inv(ctx, out, a) != 0)
        put(out, 0, 0);
    return 0;
}

BROKEN_FIELD("broken-inverse-zero", .inv = inv_of_all);
