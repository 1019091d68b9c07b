/*
 * primality.h - an exact primality test for numbers below 2^62.
 */
#ifndef PRIMALITY_H
#define PRIMALITY_H

#include <stddef.h>

#include "montgomery.h"

/* True if the odd n, which does not divide base, passes the Miller-Rabin test for base. */
static inline int primality_passes(const struct montgomery *mont, uint64_t base)
{
    const uint64_t one = montgomery_enter(mont, 1);
    const uint64_t minus_one = mont->n - one;
    const int twos = __builtin_ctzll(mont->n - 1);
    uint64_t x = montgomery_pow(mont, montgomery_enter(mont, base), (mont->n - 1) >> twos);

    if (x == one || x == minus_one)
        return 1;
    for (int i = 1; i < twos; i++) {
        x = montgomery_mul(mont, x, x);
        if (x == minus_one)
            return 1;
    }
    return 0;
}

/* The smallest composite that passes for all of the first twelve primes is
 * 318665857834031151167461, more than 2^64: Sorenson and Webster, Strong pseudoprimes to twelve
 * prime bases, Mathematics of Computation 86 (2017). */
static inline int primality_is_prime(uint64_t n)
{
    static const uint64_t bases[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37 };
    struct montgomery mont;

    if (n < 2)
        return 0;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (n % bases[i] == 0)
            return n == bases[i];
    mont = montgomery_init(n);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (!primality_passes(&mont, bases[i]))
            return 0;
    return 1;
}

#endif
