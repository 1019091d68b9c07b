/*
 * mix.h - the number of a transfer and of what is made from it, by which runs of hagg-transform are
 * told apart.
 *
 * One half is fresh. The other comes from the number that the share had which was transformed: all
 * shares of one sharing have the same, so transfers that differ in it do not belong together.
 */
#ifndef HAGG_MIX_H
#define HAGG_MIX_H

#include <string.h>

#include "header.h"

#define MIX_HALF_BYTES 8

/* The number of a transfer of a share with this header. */
static inline void mix_transfer(struct header *h, const uint8_t fresh[MIX_HALF_BYTES])
{
    for (size_t i = 0; i < MIX_HALF_BYTES; i++) {
        h->mix[i] = h->has_mix ? h->mix[i] ^ h->mix[MIX_HALF_BYTES + i] : 0;
        h->mix[MIX_HALF_BYTES + i] = fresh[i];
    }
    h->has_mix = true;
}

/* Whether the shares that two transfers are of can belong together. */
static inline bool mix_same_origin(const struct header *a, const struct header *b)
{
    return !a->has_mix || !b->has_mix || memcmp(a->mix, b->mix, MIX_HALF_BYTES) == 0;
}

#endif
