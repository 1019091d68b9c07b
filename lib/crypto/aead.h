/*
 * aead.h - AES-256-GCM: encrypts and authenticates a message of known length.
 *
 * A nonce must not be used for two different messages under one key. The time that functions take
 * depends on lengths only, not on keys or messages.
 */
#ifndef HAGG_AEAD_H
#define HAGG_AEAD_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define AEAD_KEY_BYTES   32
#define AEAD_NONCE_BYTES 12
#define AEAD_TAG_BYTES   16

struct aead;

/* The key is secret and is copied. */
struct aead *aead_new(const uint8_t key[AEAD_KEY_BYTES], struct hagg_err *err);

/* Wipes the key. a may be NULL. */
void aead_free(struct aead *a);

/* Encrypts n bytes and appends the tag: sealed has room for n + AEAD_TAG_BYTES. plain and sealed
 * may be the same buffer. */
int aead_seal(struct aead *a, const uint8_t nonce[AEAD_NONCE_BYTES], const void *aad, size_t n_aad,
              const void *plain, size_t n, void *sealed, struct hagg_err *err);

/* Decrypts n + AEAD_TAG_BYTES bytes to n. plain and sealed may be the same buffer. Returns 1; 0 if
 * the bytes are not authentic, and then plain is wiped; -1 on failure. */
int aead_open(struct aead *a, const uint8_t nonce[AEAD_NONCE_BYTES], const void *aad, size_t n_aad,
              const void *sealed, size_t n, void *plain, struct hagg_err *err);

#endif
