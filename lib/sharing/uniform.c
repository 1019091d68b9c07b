#include "sharing/uniform.h"

/* Small enough for the random bytes to stay in the first-level cache. */
#define BLOCK_BYTES 16384

int uniform_elems(const struct field *f, struct random *source, void *out, size_t n,
                  struct hagg_err *err)
{
    size_t size = field_elem_size(f);
    unsigned char *to = out;

    while (n > 0) {
        size_t tries = n < BLOCK_BYTES / size ? n : BLOCK_BYTES / size;
        size_t got, used;

        /* drawn and sampled in place, so no copy of a secret is left behind */
        if (random_bytes(source, to, tries * size, err))
            return -1;
        got = f->ops.sample(f->ctx, to, tries, to, tries * size, &used);
        to += got * size;
        n -= got;
    }
    return 0;
}
