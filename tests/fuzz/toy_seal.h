/*
 * toy_seal.h - a seal that the mutator can repair: the chunks are not encrypted, and their tags are
 * hashes of their bytes, numbers and ends. So the code behind authentication is reached, and the
 * code that refuses chunks too.
 */
#ifndef HAGG_TOY_SEAL_H
#define HAGG_TOY_SEAL_H

#include <string.h>

#include <xxhash.h>

#include "seal.h"

static inline void toy_tag(uint8_t tag[SEAL_TAG_BYTES], uint64_t number, bool last,
                           const void *bytes, size_t n)
{
    XXH128_canonical_t hash;

    XXH128_canonicalFromHash(&hash, XXH3_128bits_withSeed(bytes, n, 2 * number + last));
    memcpy(tag, hash.digest, SEAL_TAG_BYTES);
}

#endif
