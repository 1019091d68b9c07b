/*
 * hagg/prime-field.h - the vector functions that every prime field shares.
 *
 * Optional: for authors of a field of prime order p whose elements are the integers 0 .. p - 1, in
 * 1, 2, 4 or 8 bytes; p <= 2^(8 * elem_size) - 1. A plugin wraps these functions, gives p and
 * elem_size as constants, and the compiler makes a vector loop of each. What is known only at run
 * time works too: a call then chooses once between four loops. Multiplication is the plugin's own.
 *
 * The contracts are those of hagg/plugin.h. Nothing here branches on a value, except that sampling
 * discloses which tries it rejected, that check and from_int disclose what they refuse, and that
 * inversion discloses whether its input is zero.
 */
#ifndef HAGG_PRIME_FIELD_H
#define HAGG_PRIME_FIELD_H

#include <stdio.h>

#include "plugin.h"

#define HAGG_PRIME_INLINE static inline __attribute__((always_inline))

/* plugin.h lets an output be the very same pointer as an input and forbids any other overlap, which
 * is just what the vectoriser must know; left alone it takes the same pointer for a dependency and
 * falls back to one element at a time. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitizers forbid it, and that is well */
#define HAGG_PRIME_SAME_OR_APART _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define HAGG_PRIME_SAME_OR_APART _Pragma("GCC ivdep")
#else
#define HAGG_PRIME_SAME_OR_APART
#endif

/* The integers that from_int takes: -(p - 1) / 2 .. p / 2, so 0 and 1 when p is 2. */
HAGG_PRIME_INLINE int64_t hagg_prime_int_min(uint64_t p)
{
    return -(int64_t)((p - 1) / 2);
}

HAGG_PRIME_INLINE int64_t hagg_prime_int_max(uint64_t p)
{
    return (int64_t)(p / 2);
}

/* Everything init has to say of the field. */
HAGG_PRIME_INLINE void hagg_prime_info(uint64_t p, size_t elem_size, struct hagg_field_info *info)
{
    info->order = p;
    info->characteristic = p;
    info->int_min = hagg_prime_int_min(p);
    info->int_max = hagg_prime_int_max(p);
    info->elem_size = (uint32_t)elem_size;
}

/* 1 when an integer is outside the range, as a number to accumulate and not as a branch. */
HAGG_PRIME_INLINE uint64_t hagg_prime_int_outside(uint64_t p, int64_t x)
{
    return (uint64_t)x - (uint64_t)hagg_prime_int_min(p) > p - 1;
}

/* Blocks are looked at twice, so the second look must find them in the first-level cache. */
#define HAGG_PRIME_BLOCK_BYTES 4096u

#define HAGG_PRIME_BITS 8
#include "prime-field.h"
#undef HAGG_PRIME_BITS
#define HAGG_PRIME_BITS 16
#include "prime-field.h"
#undef HAGG_PRIME_BITS
#define HAGG_PRIME_BITS 32
#include "prime-field.h"
#undef HAGG_PRIME_BITS
#define HAGG_PRIME_BITS 64
#include "prime-field.h"
#undef HAGG_PRIME_BITS

/* The function for elements of elem_size bytes. */
#define HAGG_PRIME_SIZED(elem_size, name, p, ...)                                                  \
    ((elem_size) == 1   ? hagg_prime_##name##8((uint8_t)(p), __VA_ARGS__)                          \
     : (elem_size) == 2 ? hagg_prime_##name##16((uint16_t)(p), __VA_ARGS__)                        \
     : (elem_size) == 4 ? hagg_prime_##name##32((uint32_t)(p), __VA_ARGS__)                        \
                        : hagg_prime_##name##64((p), __VA_ARGS__))

/* out[i] = a[i] + b[i] */
HAGG_PRIME_INLINE void hagg_prime_add(uint64_t p, size_t elem_size, void *out, const void *a,
                                      const void *b, size_t n)
{
    HAGG_PRIME_SIZED(elem_size, add, p, out, a, b, n);
}

/* out[i] = a[i] - b[i] */
HAGG_PRIME_INLINE void hagg_prime_sub(uint64_t p, size_t elem_size, void *out, const void *a,
                                      const void *b, size_t n)
{
    HAGG_PRIME_SIZED(elem_size, sub, p, out, a, b, n);
}

/* Index of the first element that is p or more; n when there is none. */
HAGG_PRIME_INLINE size_t hagg_prime_check(uint64_t p, size_t elem_size, const void *a, size_t n)
{
    return HAGG_PRIME_SIZED(elem_size, check, p, a, n);
}

/* As add_checked in plugin.h. */
HAGG_PRIME_INLINE size_t hagg_prime_add_checked(uint64_t p, size_t elem_size, void *out,
                                                const void *a, const void *b, size_t n)
{
    return HAGG_PRIME_SIZED(elem_size, add_checked, p, out, a, b, n);
}

/* As sample in plugin.h. A try is elem_size bytes cut to the bit length of p, and is rejected when
 * that is p or more: at worst every second one. */
HAGG_PRIME_INLINE size_t hagg_prime_sample(uint64_t p, size_t elem_size, void *out, size_t n,
                                           const void *random, size_t n_random, size_t *used)
{
    return HAGG_PRIME_SIZED(elem_size, sample, p, out, n, random, n_random, used);
}

/* As from_int in plugin.h; writes nothing at or after the index it returns. */
HAGG_PRIME_INLINE size_t hagg_prime_from_int(uint64_t p, size_t elem_size, void *out,
                                             const int64_t *in, size_t n)
{
    return HAGG_PRIME_SIZED(elem_size, from_int, p, out, in, n);
}

/* The inverse of from_int: elements above p / 2 stand for negative integers. */
HAGG_PRIME_INLINE void hagg_prime_to_int(uint64_t p, size_t elem_size, int64_t *out, const void *in,
                                         size_t n)
{
    HAGG_PRIME_SIZED(elem_size, to_int, p, out, in, n);
}

#undef HAGG_PRIME_SIZED

/* *out = 1 / *a by Fermat, with mul(a, b, p) the field's product of two canonical elements; -1 and
 * nothing written when a is zero. The exponent p - 2 is public, so it may steer branches. */
HAGG_PRIME_INLINE int hagg_prime_inv(uint64_t p, size_t elem_size, void *out, const void *a,
                                     uint64_t (*mul)(uint64_t a, uint64_t b, uint64_t p))
{
    uint64_t square = hagg_load(a, 0, elem_size);
    uint64_t power = 1;

    if (square == 0)
        return -1;
    for (uint64_t e = p - 2; e > 0; e >>= 1) {
        if (e & 1)
            power = mul(power, square, p);
        square = mul(square, square, p);
    }
    hagg_store(out, 0, elem_size, power);
    return 0;
}

/* Reads a parameter's value as the one decimal spelling of a number of at most max: digits only, no
 * sign, no leading zero. 0, or -1 with the reason in why. */
static inline int hagg_prime_param(const struct hagg_param *param, uint64_t max, uint64_t *value,
                                   char why[HAGG_WHY_SIZE])
{
    const char *s = param->value;
    uint64_t sum = 0;

    if (*s == '\0' || s[strspn(s, "0123456789")] != '\0' || (s[0] == '0' && s[1] != '\0')) {
        snprintf(why, HAGG_WHY_SIZE, "%.32s=%.64s is not a plain decimal number", param->key, s);
        return -1;
    }
    for (; *s; s++) {
        uint64_t digit = (uint64_t)(*s - '0');

        if (digit > max || sum > (max - digit) / 10) {
            snprintf(why, HAGG_WHY_SIZE, "%.32s=%.64s is more than %llu", param->key, param->value,
                     (unsigned long long)max);
            return -1;
        }
        sum = sum * 10 + digit;
    }
    *value = sum;
    return 0;
}

/* For a field without parameters. 0, or -1 with the reason in why. */
static inline int hagg_prime_no_params(const struct hagg_param *params, size_t n_params,
                                       char why[HAGG_WHY_SIZE])
{
    if (n_params == 0)
        return 0;
    snprintf(why, HAGG_WHY_SIZE, "takes no parameters, not %.64s", params[0].key);
    return -1;
}

#elif defined(HAGG_PRIME_BITS)

/* Included above once for every width of an element. A loop must compute in words of the element's
 * own width, or the vector unit would be filled with zeros. */

#define HAGG_PRIME_JOIN_(a, b) a##b
#define HAGG_PRIME_JOIN(a, b)  HAGG_PRIME_JOIN_(a, b)
#define HAGG_PRIME_NAME(name)  HAGG_PRIME_JOIN(hagg_prime_##name, HAGG_PRIME_BITS)
#define hagg_word              HAGG_PRIME_JOIN(HAGG_PRIME_JOIN(uint, HAGG_PRIME_BITS), _t)
#define HAGG_PRIME_TOP         ((hagg_word)((hagg_word)1 << (HAGG_PRIME_BITS - 1)))
#define HAGG_PRIME_LOAD(v, i)  ((hagg_word)hagg_load((v), (i), sizeof(hagg_word)))

/* d, a difference below p in size, as an element: the top bit says that it is negative. */
HAGG_PRIME_INLINE hagg_word HAGG_PRIME_NAME(raise)(hagg_word p, hagg_word d)
{
    return (hagg_word)(d + (p & (hagg_word)(0u - (hagg_word)(d >> (HAGG_PRIME_BITS - 1)))));
}

/* x - y, for a p so large that the top bit does not tell. */
HAGG_PRIME_INLINE hagg_word HAGG_PRIME_NAME(minus)(hagg_word p, hagg_word x, hagg_word y)
{
    return (hagg_word)(x - y + (p & (hagg_word)(0u - (hagg_word)(x < y))));
}

HAGG_PRIME_INLINE void HAGG_PRIME_NAME(add)(hagg_word p, void *out, const void *a, const void *b,
                                            size_t n)
{
    if (p < HAGG_PRIME_TOP) {
        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++) {
            hagg_word d = (hagg_word)(HAGG_PRIME_LOAD(a, i) + HAGG_PRIME_LOAD(b, i) - p);

            hagg_store(out, i, sizeof(hagg_word), HAGG_PRIME_NAME(raise)(p, d));
        }
    } else {
        /* a + b need not fit the word, but a - (p - b) does, up to one borrow. */
        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++) {
            hagg_word y = (hagg_word)(p - HAGG_PRIME_LOAD(b, i));

            hagg_store(out, i, sizeof(hagg_word),
                       HAGG_PRIME_NAME(minus)(p, HAGG_PRIME_LOAD(a, i), y));
        }
    }
}

HAGG_PRIME_INLINE void HAGG_PRIME_NAME(sub)(hagg_word p, void *out, const void *a, const void *b,
                                            size_t n)
{
    if (p < HAGG_PRIME_TOP) {
        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++) {
            hagg_word d = (hagg_word)(HAGG_PRIME_LOAD(a, i) - HAGG_PRIME_LOAD(b, i));

            hagg_store(out, i, sizeof(hagg_word), HAGG_PRIME_NAME(raise)(p, d));
        }
    } else {
        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++)
            hagg_store(out, i, sizeof(hagg_word),
                       HAGG_PRIME_NAME(minus)(p, HAGG_PRIME_LOAD(a, i), HAGG_PRIME_LOAD(b, i)));
    }
}

/* Whether any of n words, cut to mask, is p or more. Sums that reach the top bit say so without a
 * comparison, which not every vector unit has for unsigned words. */
HAGG_PRIME_INLINE int HAGG_PRIME_NAME(any_above)(hagg_word p, hagg_word mask, const void *a,
                                                 size_t n)
{
    hagg_word above = 0;

    if (p <= HAGG_PRIME_TOP) {
        const hagg_word rest = (hagg_word)(HAGG_PRIME_TOP - p);

        for (size_t i = 0; i < n; i++) {
            hagg_word x = (hagg_word)(HAGG_PRIME_LOAD(a, i) & mask);

            above = (hagg_word)(above | x | (hagg_word)(x + rest));
        }
    } else {
        const hagg_word rest = (hagg_word)(0u - p);

        for (size_t i = 0; i < n; i++) {
            hagg_word x = (hagg_word)(HAGG_PRIME_LOAD(a, i) & mask);

            above = (hagg_word)(above | (x & (hagg_word)((x & (hagg_word)~HAGG_PRIME_TOP) + rest)));
        }
    }
    return (above & HAGG_PRIME_TOP) != 0;
}

HAGG_PRIME_INLINE size_t HAGG_PRIME_NAME(check)(hagg_word p, const void *a, size_t n)
{
    const hagg_word whole = (hagg_word) ~(hagg_word)0;
    const size_t block = HAGG_PRIME_BLOCK_BYTES / sizeof(hagg_word);

    for (size_t done = 0; done < n; done += block) {
        size_t len = n - done < block ? n - done : block;
        const unsigned char *from = (const unsigned char *)a + done * sizeof(hagg_word);

        if (HAGG_PRIME_NAME(any_above)(p, whole, from, len)) {
            while (HAGG_PRIME_LOAD(a, done) < p)
                done++;
            return done;
        }
    }
    return n;
}

/* The loops of add, with what any_above looks for gathered on the way. */
HAGG_PRIME_INLINE size_t HAGG_PRIME_NAME(add_checked)(hagg_word p, void *out, const void *a,
                                                      const void *b, size_t n)
{
    hagg_word above = 0;

    if (p < HAGG_PRIME_TOP) {
        const hagg_word rest = (hagg_word)(HAGG_PRIME_TOP - p);

        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++) {
            hagg_word x = HAGG_PRIME_LOAD(b, i);
            hagg_word d = (hagg_word)(HAGG_PRIME_LOAD(a, i) + x - p);

            above = (hagg_word)(above | x | (hagg_word)(x + rest));
            hagg_store(out, i, sizeof(hagg_word), HAGG_PRIME_NAME(raise)(p, d));
        }
    } else {
        const hagg_word rest = (hagg_word)(0u - p);

        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++) {
            hagg_word x = HAGG_PRIME_LOAD(b, i);

            above = (hagg_word)(above | (x & (hagg_word)((x & (hagg_word)~HAGG_PRIME_TOP) + rest)));
            hagg_store(out, i, sizeof(hagg_word),
                       HAGG_PRIME_NAME(minus)(p, HAGG_PRIME_LOAD(a, i), (hagg_word)(p - x)));
        }
    }
    return above & HAGG_PRIME_TOP ? HAGG_PRIME_NAME(check)(p, b, n) : n;
}

HAGG_PRIME_INLINE size_t HAGG_PRIME_NAME(sample)(hagg_word p, void *out, size_t n,
                                                 const void *random, size_t n_random, size_t *used)
{
    const size_t block = HAGG_PRIME_BLOCK_BYTES / sizeof(hagg_word);
    const size_t n_tries = n_random / sizeof(hagg_word);
    const hagg_word mask = (hagg_word)(~UINT64_C(0) >> __builtin_clzll(p));
    size_t tries = 0;
    size_t done = 0;

    while (done < n && tries < n_tries) {
        const unsigned char *from = (const unsigned char *)random + tries * sizeof(hagg_word);
        unsigned char *to = (unsigned char *)out + done * sizeof(hagg_word);
        size_t room = n - done < block ? n - done : block;
        size_t len = n_tries - tries < room ? n_tries - tries : room;

        if (!HAGG_PRIME_NAME(any_above)(p, mask, from, len)) {
            /* When out is random and a try was rejected, the two ranges overlap partly. */
            if (to != from)
                memmove(to, from, len * sizeof(hagg_word));
            HAGG_PRIME_SAME_OR_APART
            for (size_t i = 0; i < len; i++)
                hagg_store(to, i, sizeof(hagg_word), HAGG_PRIME_LOAD(to, i) & mask);
            tries += len;
            done += len;
        } else {
            /* len tries cannot give more elements than there is room for. */
            for (size_t i = 0; i < len; i++) {
                hagg_word x = (hagg_word)(HAGG_PRIME_LOAD(random, tries + i) & mask);

                hagg_store(out, done, sizeof(hagg_word), x);
                done += x < p;
            }
            tries += len;
        }
    }
    *used = tries * sizeof(hagg_word);
    return done;
}

HAGG_PRIME_INLINE size_t HAGG_PRIME_NAME(from_int)(uint64_t p, void *out, const int64_t *in,
                                                   size_t n)
{
    const size_t block = HAGG_PRIME_BLOCK_BYTES / sizeof *in;
    size_t done = 0;

    while (done < n) {
        size_t len = n - done < block ? n - done : block;
        uint64_t outside = 0;

        for (size_t i = 0; i < len; i++)
            outside |= hagg_prime_int_outside(p, in[done + i]);
        if (outside) {
            len = 0;
            while (!hagg_prime_int_outside(p, in[done + len]))
                len++;
        }
        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < len; i++) {
            uint64_t x = (uint64_t)in[done + i];

            hagg_store(out, done + i, sizeof(hagg_word), x + (p & -(x >> 63)));
        }
        done += len;
        if (outside)
            break;
    }
    return done;
}

HAGG_PRIME_INLINE void HAGG_PRIME_NAME(to_int)(uint64_t p, int64_t *out, const void *in, size_t n)
{
    const uint64_t max = p / 2;

    HAGG_PRIME_SAME_OR_APART
    for (size_t i = 0; i < n; i++) {
        uint64_t x = HAGG_PRIME_LOAD(in, i);

        out[i] = (int64_t)(x - (p & -(uint64_t)(x > max)));
    }
}

#undef HAGG_PRIME_JOIN_
#undef HAGG_PRIME_JOIN
#undef HAGG_PRIME_NAME
#undef HAGG_PRIME_TOP
#undef HAGG_PRIME_LOAD
#undef hagg_word

#endif
