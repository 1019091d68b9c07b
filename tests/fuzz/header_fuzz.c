/*
 * header_fuzz.c - header_decode on any bytes, and its contract:
 *  - header_encode turns an accepted header back into the same bytes;
 *  - a prefix of a valid header is incomplete, never wrong;
 *  - bytes that are wrong stay wrong, whatever is appended.
 */
#include <stdlib.h>
#include <string.h>

#include "header.h"

/* Skipped, so that the known-answer files, which begin with a record's tag and array, can be a
 * corpus. */
static const uint8_t record_head[] = { 0xda, 'H', 'A', 'G', 'G', 0x83 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Decodes and discards. The copy has exactly n bytes, so a read beyond n is detected. */
static int decode(const uint8_t *data, size_t n)
{
    struct header h = { 0 };
    struct hagg_err err = { 0 };
    uint8_t *bytes = malloc(n ? n : 1);
    size_t used;
    int result;

    if (!bytes)
        abort();
    memcpy(bytes, data, n);
    result = header_decode(&h, bytes, n, &used, &err);
    if ((result < 0) != (err.status != HAGG_OK) || (result < 0) != (err.text[0] != 0))
        abort();
    header_clear(&h);
    free(bytes);
    return result;
}

static void check_accepted(const struct header *h, const uint8_t *data, size_t used)
{
    struct hagg_err err = { 0 };
    uint8_t *bytes;
    size_t n;

    if (header_encode(h, &bytes, &n, &err) < 0 || n != used || memcmp(bytes, data, n) != 0)
        abort();
    free(bytes);
    /* A few prefixes only, because all of them would take quadratic time. */
    if (decode(data, used - 1) != 0 || decode(data, used / 2) != 0 || decode(data, used / 3) != 0)
        abort();
}

static void check_refused(const uint8_t *data, size_t size)
{
    static const uint8_t more[] = { 0x00, 0x61, 'v', 0x02, 0xa0, 0xf5, 0xff };
    uint8_t *longer = malloc(size + sizeof more);

    if (!longer)
        abort();
    memcpy(longer, data, size);
    memcpy(longer + size, more, sizeof more);
    if (decode(longer, size + sizeof more) != -1)
        abort();
    free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct header h = { 0 };
    struct hagg_err err = { 0 };
    size_t used = 0;
    int result;

    if (size >= sizeof record_head && memcmp(data, record_head, sizeof record_head) == 0) {
        data += sizeof record_head;
        size -= sizeof record_head;
    }
    if (decode(data, size) < 0) {
        check_refused(data, size);
        return 0;
    }
    result = header_decode(&h, data, size, &used, &err);
    if (result == 1) {
        if (used == 0 || used > size)
            abort();
        check_accepted(&h, data, used);
    }
    header_clear(&h);
    return 0;
}
