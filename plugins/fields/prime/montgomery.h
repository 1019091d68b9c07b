/*
 * montgomery.h - products modulo an odd number below 2^62 that is known only at run time.
 *
 * Montgomery reduction by subtraction with R = 2^64: x / R for x < n R. Neither time nor branches
 * depend on a value, except on the modulus and on exponents.
 */
#ifndef MONTGOMERY_H
#define MONTGOMERY_H

#include "wide.h"

struct montgomery {
    uint64_t n;        /* odd, 3 .. 2^62 - 1 */
    uint64_t inverse;  /* 1 / n modulo 2^64 */
    uint64_t r_square; /* R * R modulo n */
};

/* Returns a b / R modulo n, canonical. One factor must be below n; the other may be anything. */
static inline uint64_t montgomery_mul(const struct montgomery *mont, uint64_t a, uint64_t b)
{
    struct wide product = wide_mul(a, b);
    uint64_t taken = wide_mul(product.low * mont->inverse, mont->n).high;

    return product.high - taken + (mont->n & -(uint64_t)(product.high < taken));
}

/* Returns R a modulo n: montgomery_mul is the product of numbers in this form. */
static inline uint64_t montgomery_enter(const struct montgomery *mont, uint64_t a)
{
    return montgomery_mul(mont, a, mont->r_square);
}

static inline uint64_t montgomery_leave(const struct montgomery *mont, uint64_t a)
{
    return montgomery_mul(mont, a, 1);
}

/* Returns base^exponent; base and result are in Montgomery form. */
static inline uint64_t montgomery_pow(const struct montgomery *mont, uint64_t base,
                                      uint64_t exponent)
{
    uint64_t power = montgomery_enter(mont, 1);

    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            power = montgomery_mul(mont, power, base);
        base = montgomery_mul(mont, base, base);
    }
    return power;
}

static inline struct montgomery montgomery_init(uint64_t n)
{
    struct montgomery mont = { .n = n, .inverse = n, .r_square = -n % n };

    /* n n = 1 modulo 8, and each step doubles the number of correct bits: 3, 6, 12, 24, 48, 96. */
    for (int i = 0; i < 5; i++)
        mont.inverse *= 2 - n * mont.inverse;
    for (int i = 0; i < 64; i++) {
        mont.r_square *= 2;
        if (mont.r_square >= n)
            mont.r_square -= n;
    }
    return mont;
}

#endif
