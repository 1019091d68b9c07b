/*
 * reference.h - schoolbook field arithmetic, to check plugins and linear algebra: 128-bit
 * remainders for prime fields, bit by bit modulo x^8 + x^4 + x^3 + x^2 + 1 for gf256.
 */
#ifndef HAGG_REFERENCE_H
#define HAGG_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

struct reference {
    const char *spec;
    uint64_t order; /* 256 for gf256, otherwise a prime */
};

static const struct reference references[] = {
    { "prime:p=2", 2 },
    { "prime:p=7", 7 },
    { "prime:p=251", 251 },
    { "gf256", 256 },
    { "prime:p=65521", 65521 },
    { "prime:p=1000003", 1000003 },
    { "m31", (1ull << 31) - 1 },
    { "m61", (1ull << 61) - 1 },
    { "goldilocks", 0xffffffff00000001 },
    { "prime:p=4611686018427387847", (1ull << 62) - 57 },
};

#define N_REFERENCES (sizeof references / sizeof *references)

static inline size_t reference_elem_size(const struct reference *f)
{
    uint64_t top = f->order - 1;

    return top <= UINT8_MAX ? 1 : top <= UINT16_MAX ? 2 : top <= UINT32_MAX ? 4 : 8;
}

static inline uint64_t reference_add(const struct reference *f, uint64_t a, uint64_t b)
{
    if (f->order == 256)
        return a ^ b;
    return (uint64_t)(((unsigned __int128)a + b) % f->order);
}

static inline uint64_t reference_sub(const struct reference *f, uint64_t a, uint64_t b)
{
    if (f->order == 256)
        return a ^ b;
    return (uint64_t)(((unsigned __int128)a + f->order - b) % f->order);
}

static inline uint64_t reference_mul(const struct reference *f, uint64_t a, uint64_t b)
{
    uint64_t product = 0;

    if (f->order != 256)
        return (uint64_t)((unsigned __int128)a * b % f->order);
    for (int bit = 0; bit < 8; bit++)
        if (b >> bit & 1)
            product ^= a << bit;
    for (int bit = 14; bit >= 8; bit--)
        if (product >> bit & 1)
            product ^= 0x11dull << (bit - 8);
    return product;
}

/* Returns a^(order - 2), which is 1 / a if a is not 0. */
static inline uint64_t reference_inv(const struct reference *f, uint64_t a)
{
    uint64_t result = 1;

    for (uint64_t e = f->order - 2; e > 0; e >>= 1) {
        if (e & 1)
            result = reference_mul(f, result, a);
        a = reference_mul(f, a, a);
    }
    return result;
}

/* Pseudorandom numbers, the same in every run (SplitMix64). */
static inline uint64_t reference_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Returns an element; one in four is 0, 1 or the largest. */
static inline uint64_t reference_elem(const struct reference *f, uint64_t *state)
{
    uint64_t r = reference_next(state), value = reference_next(state) % f->order;

    return r % 12 == 0 ? 0 : r % 12 == 1 ? 1 : r % 12 == 2 ? f->order - 1 : value;
}

#endif
