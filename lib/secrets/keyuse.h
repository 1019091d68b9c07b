/*
 * keyuse.h - makes sure that a key pads only one vector. The vector is recorded in a file next to
 * the key, KEY.ID.used.
 *
 * The file is created atomically, with link(2), before the command writes any share: of two
 * processes, the second finds it, and it survives a crash. It contains a digest of the padded
 * vector, which is uniform to anyone without the key, and the seed of the random vectors, so that
 * sharing the same vector again gives the same shares.
 */
#ifndef HAGG_KEYUSE_H
#define HAGG_KEYUSE_H

#include <stdint.h>

#include "err.h"

#define KEYUSE_SEED_BYTES 32

/* Sets *place to the path under which the use of a key is recorded: the real path of its file and
 * the id of the key, so that a symbolic link does not hide an earlier use, and a new key in the
 * same file is unused. *place is malloc'ed for the caller; NULL if the key is read from a pipe.
 * HAGG_E_PRIVACY if the file has several hard links. */
int keyuse_place(const char *key_path, const uint8_t id[16], char **place, struct hagg_err *err);

/* Claims the key for the padded vector with this digest. key_path is from keyuse_place. seed is
 * fresh; if this vector was shared before, it is replaced by the earlier seed. HAGG_E_PRIVACY if
 * another vector was shared before. */
int keyuse_claim(const char *key_path, const uint8_t digest[16], uint8_t seed[KEYUSE_SEED_BYTES],
                 struct hagg_err *err);

#endif
