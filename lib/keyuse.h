/*
 * keyuse.h - a key pads one vector. A file beside the key, KEY.used, remembers which.
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
#include "random.h"

#define KEYUSE_SEED_BYTES 32

/* Claims the key file for the padded vector with this digest and gives the seed to share it with,
 * the earlier one if this vector was shared before. HAGG_E_PRIVACY if another one was. */
int keyuse_claim(const char *key_path, const uint8_t digest[16], struct random *random,
                 uint8_t seed[KEYUSE_SEED_BYTES], struct hagg_err *err);

#endif
