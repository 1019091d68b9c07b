/* One inverse of 250 is wrong. */
#include "broken-field.h"

static int inv_slip(const void *ctx, void *out, const void *a)
{
    int status = sound_inv(ctx, out, a);

    if (get(out, 0) == 77)
        put(out, 0, 78);
    return status;
}

BROKEN_FIELD("broken-inverse", .inv = inv_slip);
