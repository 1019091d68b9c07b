/*
 * random.h - random bytes: a generator seeded by the kernel, or a file of the user's own.
 *
 * The generator is AES-256 in counter mode from libcrypto under a 256-bit key from getrandom(2). It
 * draws a new key for itself from its own output after every 256 KiB, so what memory holds later
 * does not tell what it gave earlier. docs/randomness.md has the reasons and what they mean for
 * "information-theoretic".
 */
#ifndef HAGG_RANDOM_H
#define HAGG_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

struct random;

struct random *random_new(struct hagg_err *err);

/* Takes the bytes of a file or device as they come; "-" is not standard input but a name. */
struct random *random_open(const char *path, struct hagg_err *err);

/* The generator under a given key: the same bytes every time. */
#define RANDOM_SEED_BYTES 32
struct random *random_seeded(const unsigned char seed[RANDOM_SEED_BYTES], struct hagg_err *err);

/* NULL is fine. Wipes key and buffers. */
void random_free(struct random *r);

/* Whether it is a file: its bytes mean something in their order. */
bool random_is_file(const struct random *r);

/* Fills out. The end of a file is an error: no byte is ever used twice. */
int random_bytes(struct random *r, void *out, size_t n, struct hagg_err *err);

#endif
