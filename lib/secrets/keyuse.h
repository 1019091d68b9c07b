/*
 * keyuse.h - a key pads one vector. A file beside the key, KEY.ID.used, remembers which.
 *
 * It appears whole, by link(2), before anything padded leaves the command: of two processes one
 * comes second and sees it, and after a crash it is still there. It holds a digest of the padded
 * vector, which is uniform to whoever lacks the key, and the seed of the shares' randomness, so
 * that the same vector gives the same shares again.
 */
#ifndef HAGG_KEYUSE_H
#define HAGG_KEYUSE_H

#include <stdint.h>

#include "err.h"

#define KEYUSE_SEED_BYTES 32

/* Where the use of a key is remembered: its file's real name and the key's identity, malloc'ed for
 * the caller, so that another name for the file does not help and a new key in it is free. *place =
 * NULL for a key that comes through a pipe. HAGG_E_PRIVACY for a file with several names. */
int keyuse_place(const char *key_path, const uint8_t id[16], char **place, struct hagg_err *err);

/* Claims the key file for the padded vector with this digest. seed is fresh, and becomes the
 * earlier one if this vector was shared before. HAGG_E_PRIVACY if another one was. */
int keyuse_claim(const char *key_path, const uint8_t digest[16], uint8_t seed[KEYUSE_SEED_BYTES],
                 struct hagg_err *err);

#endif
