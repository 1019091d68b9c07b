/*
 * mac.h - HMAC-SHA256: a digest that nobody can compute or check without the key.
 */
#ifndef HAGG_MAC_H
#define HAGG_MAC_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define MAC_KEY_BYTES 32
#define MAC_BYTES     32

struct mac;

/* The key is secret and is copied. */
struct mac *mac_new(const uint8_t key[MAC_KEY_BYTES], struct hagg_err *err);

/* Wipes the key. m may be NULL. */
void mac_free(struct mac *m);

int mac_add(struct mac *m, const void *bytes, size_t n, struct hagg_err *err);

/* Adds eight bytes for each number, the same on all machines. */
int mac_add_numbers(struct mac *m, const uint64_t *numbers, size_t n, struct hagg_err *err);

/* Writes the digest of all bytes that were added since the last call, and starts again with the
 * same key. */
int mac_end(struct mac *m, uint8_t digest[MAC_BYTES], struct hagg_err *err);

#endif
