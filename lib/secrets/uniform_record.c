#include "uniform_record.h"

#include <stdlib.h>
#include <string.h>

#include "uniform.h"

/* Elements that are made and written at once. */
#define BLOCK_BYTES (1024u * 1024)

int uniform_record(struct writer *w, const struct header *h, const struct field *f, uint64_t n,
                   struct random *random, struct progress *progress, struct hagg_err *err)
{
    size_t size = field_elem_size(f), max = BLOCK_BYTES / size;
    unsigned char *block;
    int status;

    /* all of it is wiped in the end, so a short one takes no more than it needs */
    if (n < max)
        max = n > 0 ? (size_t)n : 1;
    block = malloc(max * size);
    if (!block)
        return err_errno(err, "no memory for random elements");
    status = writer_begin(w, h, size, n, err);
    progress_expect(progress, n * size);
    for (uint64_t at = 0; at < n && status == 0; at += max) {
        size_t now = n - at < max ? (size_t)(n - at) : max;

        status = uniform_elems(f, random, block, now, err);
        if (status == 0)
            status = writer_elems(w, block, now, err);
        progress_add(progress, now * size);
    }
    explicit_bzero(block, max * size);
    free(block);
    return status ? -1 : writer_end(w, err);
}
