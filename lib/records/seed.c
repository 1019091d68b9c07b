#include "records/seed.h"

#include <string.h>

int seed_read(struct reader *r, uint8_t seed[HEADER_SEED_BYTES], struct hagg_err *err)
{
    uint8_t bytes[HEADER_SEED_BYTES + 1]; /* one more, so that the end is read */
    size_t got;
    int status = reader_read(r, bytes, sizeof bytes, &got, err);

    if (status == 0) /* the reader has checked the length */
        memcpy(seed, bytes, HEADER_SEED_BYTES);
    explicit_bzero(bytes, sizeof bytes);
    return status;
}
