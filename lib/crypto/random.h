/*
 * random.h - random bytes, from a generator seeded by the kernel or from a file given by the user.
 *
 * The generator is libcrypto's AES-256 in counter mode with a 256-bit key from getrandom(2). After
 * every 256 KiB it replaces the key by its own output, so the memory of a process reveals nothing
 * about output before the last change of key. docs/randomness.md has the reasons, and explains what
 * the generator means for "information-theoretic".
 */
#ifndef HAGG_RANDOM_H
#define HAGG_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct random;

struct random *random_new(struct hagg_err *err);

/* Reads the bytes of a file or device in order. "-" is a file name, not standard input.
 * HAGG_E_PRIVACY, here or from random_bytes, if all bytes are the same. */
struct random *random_open(const char *path, struct hagg_err *err);

/* The generator with a given key: the same seed gives the same bytes. The seed is secret. */
#define RANDOM_SEED_BYTES 32
struct random *random_seeded(const unsigned char seed[RANDOM_SEED_BYTES], struct hagg_err *err);

/* The key stream of AES-256 in counter mode under the given key, which never changes. It begins
 * with the counter block n || 0, both big endian and of 8 bytes, for the n of the last call of
 * random_at; at first, n is 0. For bytes that others must be able to make again from the key. */
struct random *random_stream(const unsigned char key[RANDOM_SEED_BYTES], struct hagg_err *err);
int random_at(struct random *stream, uint64_t n, struct hagg_err *err);

/* Derives a secret that is independent of the random bytes. Generators with the same seed give the
 * same secret for the same purpose. If the bytes are from a file, the secret is a new one. */
int random_derive(const struct random *r, const char *purpose,
                  unsigned char secret[RANDOM_SEED_BYTES], struct hagg_err *err);

/* At most 256 bytes from the kernel. */
int random_kernel(void *out, size_t n, struct hagg_err *err);

/* Wipes the key. r may be NULL. */
void random_free(struct random *r);

/* Returns true if the bytes are from a file, in which case the order of reading matters. */
bool random_is_file(const struct random *r);

/* The first bytes that were read from a file, which identify what was made from them. Returns false
 * if fewer were read, or if the bytes are not from a file. */
#define RANDOM_FIRST_BYTES 32
bool random_first(const struct random *r, unsigned char first[RANDOM_FIRST_BYTES]);

/* Fills out. The end of a file is an error, because no byte may be used twice. */
int random_bytes(struct random *r, void *out, size_t n, struct hagg_err *err);

#endif
