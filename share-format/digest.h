/*
 * digest.h - XXH3-128, in its canonical big-endian form. It detects accidental damage, not
 * tampering. The bytes may be secret: none of them are left in memory.
 */
#ifndef HAGG_DIGEST_H
#define HAGG_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define DIGEST_BYTES 16

struct digest;

/* Returns a digest of no bytes; NULL if out of memory. */
struct digest *digest_new(void);

/* Wipes the state. d may be NULL. */
void digest_free(struct digest *d);

/* Starts again with no bytes. */
void digest_reset(struct digest *d);

void digest_add(struct digest *d, const void *bytes, size_t n);

/* Continues with all bytes that were added to another digest. */
void digest_copy(struct digest *d, const struct digest *from);

/* The digest of the bytes so far. */
void digest_get(const struct digest *d, uint8_t digest[DIGEST_BYTES]);

/* The digest of a contiguous buffer. */
void digest_bytes(uint8_t digest[DIGEST_BYTES], const void *bytes, size_t n);

#endif
