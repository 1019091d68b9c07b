/*
 * A small generator with a fixed seed (SplitMix64): every run checks the same values, so results
 * are reproducible and no threshold ever fails by chance.
 */
#ifndef PRNG_H
#define PRNG_H

#include <stddef.h>
#include <stdint.h>

struct prng {
    uint64_t state;
};

uint64_t prng_next(struct prng *g);

/* Uniform in 0 .. bound - 1; bound > 0. */
uint64_t prng_below(struct prng *g, uint64_t bound);

void prng_bytes(struct prng *g, void *out, size_t len_bytes);

#endif
