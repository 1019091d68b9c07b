#include "digest.h"

#include <string.h>

/* On x86-64 the dispatching variants are twice as fast as the portable ones, if installed. */
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#else
#include <xxhash.h>
#endif

/* A struct digest is a XXH3_state_t, whose size only the library knows. */
static XXH3_state_t *state(const struct digest *d)
{
    return (XXH3_state_t *)(uintptr_t)d;
}

/* Overwrites what a call of the library has left below the stack frame of the caller. */
static __attribute__((noinline)) void wipe_stack(void)
{
    unsigned char used[4096];

    explicit_bzero(used, sizeof used);
}

struct digest *digest_new(void)
{
    XXH3_state_t *s = XXH3_createState();

    if (s)
        XXH3_128bits_reset(s);
    return (struct digest *)s;
}

/* The size of the state is not public, so its buffer of 256 bytes is filled with zeros, in pieces
 * that are all copied there; then the sums are reset. */
static void wipe(XXH3_state_t *s)
{
    static const unsigned char zeros[64];

    for (int i = 0; i < 8; i++)
        XXH3_128bits_update(s, zeros, sizeof zeros);
    XXH3_128bits_reset(s);
}

void digest_free(struct digest *d)
{
    if (!d)
        return;
    wipe(state(d));
    XXH3_freeState(state(d));
}

void digest_reset(struct digest *d)
{
    XXH3_128bits_reset(state(d));
}

void digest_add(struct digest *d, const void *bytes, size_t n)
{
    XXH3_128bits_update(state(d), bytes, n);
}

void digest_copy(struct digest *d, const struct digest *from)
{
    XXH3_copyState(state(d), state(from));
}

static void put(uint8_t digest[DIGEST_BYTES], XXH128_hash_t hash)
{
    XXH128_canonical_t canonical;

    XXH128_canonicalFromHash(&canonical, hash);
    memcpy(digest, canonical.digest, sizeof canonical.digest);
}

void digest_get(const struct digest *d, uint8_t digest[DIGEST_BYTES])
{
    put(digest, XXH3_128bits_digest(state(d)));
    wipe_stack();
}

void digest_bytes(uint8_t digest[DIGEST_BYTES], const void *bytes, size_t n)
{
    put(digest, XXH3_128bits(bytes, n));
    wipe_stack();
}
