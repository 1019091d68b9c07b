#include "number.h"

#include <stddef.h>

static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t n)
{
    return (uint64_t)((unsigned __int128)a * b % n);
}

static uint64_t pow_mod(uint64_t a, uint64_t exponent, uint64_t n)
{
    uint64_t result = 1;

    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1)
            result = mul_mod(result, a, n);
        a = mul_mod(a, a, n);
    }
    return result;
}

/* The Miller-Rabin test. No composite below 2^64 passes for all these bases (Sorenson and Webster).
 */
bool number_is_prime(uint64_t n)
{
    static const uint64_t bases[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37 };
    unsigned twos;

    if (n < 2)
        return false;
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (n % bases[i] == 0)
            return n == bases[i];
    twos = (unsigned)__builtin_ctzll(n - 1);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        uint64_t x = pow_mod(bases[i], (n - 1) >> twos, n);
        bool witness = x != 1;

        for (unsigned j = 0; j < twos && witness; j++) {
            witness = x != n - 1;
            x = mul_mod(x, x, n);
        }
        if (witness)
            return false;
    }
    return true;
}

bool number_is_power(uint64_t n, uint64_t base)
{
    if (n < base)
        return false;
    while (n % base == 0)
        n /= base;
    return n == 1;
}

unsigned number_bits_below(uint64_t n)
{
    return 64 - (unsigned)__builtin_clzll(n - 1);
}
