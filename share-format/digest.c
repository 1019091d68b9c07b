#include "digest.h"

#include <string.h>

#include "xxh.h"

void digest_bytes(uint8_t digest[16], const void *bytes, size_t n)
{
    XXH128_canonical_t canonical;

    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, n));
    memcpy(digest, canonical.digest, sizeof canonical.digest);
}
