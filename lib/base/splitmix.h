/*
 * splitmix.h - pseudorandom numbers from a seed, for choices that must be reproducible. Never use
 * them for anything secret.
 */
#ifndef HAGG_SPLITMIX_H
#define HAGG_SPLITMIX_H

#include <stdint.h>

/* The generator splitmix64. */
static inline uint64_t splitmix_next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* Returns a number below n; n is at least 1. */
static inline uint32_t splitmix_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(((splitmix_next(state) >> 32) * n) >> 32);
}

#endif
