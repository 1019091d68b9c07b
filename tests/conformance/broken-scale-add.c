/* Drops the previous output if it was 100. */
#include "broken-field.h"

static void scale_add_slip(const void *ctx, void *out, const void *c, const void *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char *o = (unsigned char *)out + i * ELEM_SIZE;

        if (get(o, 0) == 100)
            put(o, 0, 0);
        sound_scale_add(ctx, o, c, (const unsigned char *)a + i * ELEM_SIZE, 1);
    }
}

BROKEN_FIELD("broken-scale-add", .scale_add = scale_add_slip);
