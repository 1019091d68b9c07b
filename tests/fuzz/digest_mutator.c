/*
 * digest_mutator.c - mutates a stream and then, mostly, corrects the digests. Without it hardly any
 * mutated record would pass the check of its digest, and the code after that would not be tested.
 */
#include <stdint.h>
#include <stddef.h>
#include <string.h>

#include <xxhash.h>

#include "header.h"

#define RECORD_HEAD_BYTES 6
#define DIGEST_BYTES      16

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Reads the CBOR head at p and its argument. Returns the length of the head, or 0 if it is
 * incomplete. */
static size_t read_head(const uint8_t *p, size_t n, uint64_t *argument)
{
    size_t width;

    if (n == 0 || (p[0] & 31) > 27)
        return 0;
    *argument = p[0] & 31;
    if (*argument < 24)
        return 1;
    width = (size_t)1 << (*argument - 24);
    if (n < 1 + width)
        return 0;
    *argument = 0;
    for (size_t i = 0; i < width; i++)
        *argument = *argument << 8 | p[1 + i];
    return 1 + width;
}

/* Returns the number of bytes from the start of the header, at p, to the end of the payload; 0 if
 * they are incomplete. */
static size_t covered(const uint8_t *p, size_t n)
{
    struct header h = { 0 };
    struct hagg_err err = { 0 };
    uint64_t argument;
    size_t used = 0, tag, string;

    if (header_decode(&h, p, n, &used, &err) != 1)
        used = 0;
    header_clear(&h);
    if (used == 0 || (tag = read_head(p + used, n - used, &argument)) == 0)
        return 0;
    used += tag;
    if ((string = read_head(p + used, n - used, &argument)) == 0 || argument > n - used - string)
        return 0;
    return used + string + (size_t)argument;
}

static void mend_digests(uint8_t *data, size_t size)
{
    while (size > RECORD_HEAD_BYTES) {
        size_t n = covered(data + RECORD_HEAD_BYTES, size - RECORD_HEAD_BYTES);
        XXH128_canonical_t digest;

        if (n == 0 || size - RECORD_HEAD_BYTES - n < 1 + DIGEST_BYTES)
            return;
        XXH128_canonicalFromHash(&digest, XXH3_128bits(data + RECORD_HEAD_BYTES, n));
        data += RECORD_HEAD_BYTES + n;
        memcpy(data + 1, digest.digest, DIGEST_BYTES);
        data += 1 + DIGEST_BYTES;
        size -= RECORD_HEAD_BYTES + n + 1 + DIGEST_BYTES;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    unsigned int choice = seed % 8, rest = seed / 8;

    /* A record often stays valid after a change of one bit, but hardly ever after the fuzzer's own
     * changes. */
    if (choice < 4 && size > 0)
        data[rest % size] ^= (uint8_t)(1u << (rest / size % 8));
    else
        size = LLVMFuzzerMutate(data, size, max_size);
    if (choice != 7)
        mend_digests(data, size);
    return size;
}
