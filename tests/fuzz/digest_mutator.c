/*
 * digest_mutator.c - mutates a stream and then, mostly, corrects the digests. Without it hardly any
 * mutated record would pass the check of its digest, and the code after that would not be tested.
 * For the same reason it corrects the toy tags of sealed chunks, if TOY_SEAL is defined.
 */
#include "digest_mutator.h"

#include <string.h>

#include <xxhash.h>

#include "header.h"
#include "toy_seal.h"

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

/* Reads the string at p + used, and adds its length to used. Returns false if it is incomplete. */
static bool skip_string(const uint8_t *p, size_t n, size_t *used, uint64_t *len)
{
    size_t head = read_head(p + *used, n - *used, len);

    if (head == 0 || *len > n - *used - head)
        return false;
    *used += head + (size_t)*len;
    return true;
}

/* The covered part of a record: from the start of the header to the end of the payload. */
struct extent {
    size_t n;        /* 0 if it is incomplete */
    size_t n_chunks; /* bytes of sealed chunks at its end */
};

static struct extent covered(const uint8_t *p, size_t n)
{
    const struct extent nothing = { 0 };
    struct header h = { 0 };
    struct hagg_err err = { 0 };
    uint64_t argument, len;
    size_t used = 0, head;
    int strings;

    if (header_decode(&h, p, n, &used, &err) != 1)
        used = 0;
    header_clear(&h);
    if (used == 0 || (head = read_head(p + used, n - used, &argument)) == 0)
        return nothing;
    strings = p[used] >> 5 == 4 ? 4 : 1; /* an array: sealed */
    used += head;
    if (strings == 4) {
        if ((head = read_head(p + used, n - used, &argument)) == 0)
            return nothing;
        used += head;
    }
    for (int i = 0; i < strings; i++)
        if (!skip_string(p, n, &used, &len))
            return nothing;
    return (struct extent){ used, strings == 4 ? (size_t)len : 0 };
}

#ifdef TOY_SEAL
static void mend_tags(uint8_t *chunks, size_t n)
{
    for (uint64_t number = 0; n >= SEAL_TAG_BYTES; number++) {
        size_t size = n - SEAL_TAG_BYTES < SEAL_CHUNK_BYTES ? n - SEAL_TAG_BYTES : SEAL_CHUNK_BYTES;

        n -= size + SEAL_TAG_BYTES;
        toy_tag(chunks + size, number, n == 0, chunks, size);
        chunks += size + SEAL_TAG_BYTES;
    }
}
#else
static void mend_tags(uint8_t *chunks, size_t n)
{
    (void)chunks;
    (void)n;
}
#endif

void mend(uint8_t *data, size_t size, bool tags)
{
    while (size > RECORD_HEAD_BYTES) {
        struct extent e = covered(data + RECORD_HEAD_BYTES, size - RECORD_HEAD_BYTES);
        size_t n = e.n;
        XXH128_canonical_t digest;

        if (n == 0 || size - RECORD_HEAD_BYTES - n < 1 + DIGEST_BYTES)
            return;
        if (tags)
            mend_tags(data + RECORD_HEAD_BYTES + n - e.n_chunks, e.n_chunks);
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
        mend(data, size, choice != 6);
    return size;
}
