/*
 * mix.h - the mix of a transfer and of shares made from it, which distinguishes runs of
 * hagg-transform.
 *
 * The second half is random. The first half is derived from the mix of the share that was
 * transformed. All shares of one sharing have the same mix, so transfers whose first halves differ
 * do not belong together.
 */
#ifndef HAGG_MIX_H
#define HAGG_MIX_H

#include <string.h>

#include "header.h"

#define MIX_HALF_BYTES 8

/* Replaces the mix of a share by that of a transfer of the share. */
static inline void mix_transfer(struct header *h, const uint8_t fresh[MIX_HALF_BYTES])
{
    for (size_t i = 0; i < MIX_HALF_BYTES; i++) {
        h->mix[i] = h->has_mix ? h->mix[i] ^ h->mix[MIX_HALF_BYTES + i] : 0;
        h->mix[MIX_HALF_BYTES + i] = fresh[i];
    }
    h->has_mix = true;
}

/* Returns true if the shares from which two transfers were made can belong together. */
static inline bool mix_same_origin(const struct header *a, const struct header *b)
{
    return !a->has_mix || !b->has_mix || memcmp(a->mix, b->mix, MIX_HALF_BYTES) == 0;
}

#endif
