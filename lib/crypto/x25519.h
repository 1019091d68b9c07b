/*
 * x25519.h - the key pairs of nodes: X25519, RFC 7748.
 */
#ifndef HAGG_X25519_H
#define HAGG_X25519_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define X25519_BYTES 32 /* of a private key, a public key and a shared secret */

/* A base64 line of 32 bytes, with NUL. */
#define X25519_TEXT_ROOM 45

/* A private key and its public key. */
struct x25519;

/* Draws a key pair. */
struct x25519 *x25519_generate(struct hagg_err *err);

/* Makes the key pair of a private key, which is copied. */
struct x25519 *x25519_new(const uint8_t private_key[X25519_BYTES], struct hagg_err *err);

/* Reads a private key in PEM, as "openssl genpkey -algorithm X25519" writes it. name is that of the
 * file, for messages. */
struct x25519 *x25519_from_pem(const void *text, size_t n, const char *name, struct hagg_err *err);

/* Wipes the private key. k may be NULL. */
void x25519_free(struct x25519 *k);

const uint8_t *x25519_public(const struct x25519 *k);

/* Writes the private key in PEM. *text is malloc'ed for the caller, who must wipe its n bytes. */
int x25519_to_pem(const struct x25519 *k, char **text, size_t *n, struct hagg_err *err);

/* Computes the secret shared with the owner of a public key. Returns 1; 0 if the public key is one
 * of the few whose secrets are all known; -1 on failure. Several threads may use one key pair. */
int x25519_agree(const struct x25519 *k, const uint8_t public_key[X25519_BYTES],
                 uint8_t secret[X25519_BYTES], struct hagg_err *err);

/* Base64, as in the files of identities. Parsing accepts only what printing gives, and only the one
 * form of a point that is not of low order; it returns -1 for anything else. */
void x25519_print(char text[X25519_TEXT_ROOM], const uint8_t public_key[X25519_BYTES]);
int x25519_parse(uint8_t public_key[X25519_BYTES], const char *text);

#endif
