/*
 * hagg/prime-field.h - the vector functions that all prime fields have in common.
 *
 * Optional: for authors of a field of prime order p whose elements are the integers 0 .. p - 1, in
 * 1, 2, 4 or 8 bytes; p <= 2^(8 * elem_size) - 1. A plugin wraps these functions and passes p and
 * elem_size as constants, and the compiler makes a vector loop of each. Values known only at run
 * time work too: each call then selects one of four loops. The plugin provides multiplication.
 *
 * The contracts are those of hagg/plugin.h. Nothing here branches on a value, except that sampling
 * reveals which tries it rejected, check and from_int reveal what they refuse, and inversion
 * reveals whether its input is zero.
 */
#ifndef HAGG_PRIME_FIELD_H
#define HAGG_PRIME_FIELD_H

#include <stdio.h>

#include "plugin.h"

#define HAGG_PRIME_INLINE static inline __attribute__((always_inline))

/* plugin.h allows an output to be the same pointer as an input and forbids any other overlap. The
 * vectoriser has to know this: otherwise it treats the same pointer as a dependency and processes
 * one element at a time. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* sanitizers prevent it, which is no fault */
#define HAGG_PRIME_SAME_OR_APART _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define HAGG_PRIME_SAME_OR_APART _Pragma("GCC ivdep")
#else
#define HAGG_PRIME_SAME_OR_APART
#endif

/* The integers that from_int accepts: -(p - 1) / 2 .. p / 2, so 0 and 1 if p is 2. */
HAGG_PRIME_INLINE int64_t hagg_prime_int_min(uint64_t p)
{
    return -(int64_t)((p - 1) / 2);
}

HAGG_PRIME_INLINE int64_t hagg_prime_int_max(uint64_t p)
{
    return (int64_t)(p / 2);
}

/* Fills info, as init must. */
HAGG_PRIME_INLINE void hagg_prime_info(uint64_t p, size_t elem_size, struct hagg_field_info *info)
{
    info->order = p;
    info->characteristic = p;
    info->int_min = hagg_prime_int_min(p);
    info->int_max = hagg_prime_int_max(p);
    info->elem_size = (uint32_t)elem_size;
}

/* Returns 1 if an integer is out of range: a number to accumulate, without a branch. */
HAGG_PRIME_INLINE uint64_t hagg_prime_int_outside(uint64_t p, int64_t x)
{
    return (uint64_t)x - (uint64_t)hagg_prime_int_min(p) > p - 1;
}

/* Each block is read twice, so it must stay in the first-level cache. */
#define HAGG_PRIME_BLOCK_BYTES 4096u

/* The widest unsigned words of which vector units have the maximum. */
#if defined(__SSE2__) && !defined(__SSE4_1__)
#define HAGG_PRIME_MAX_BITS 8
#else
#define HAGG_PRIME_MAX_BITS 16
#endif

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
#undef HAGG_PRIME_MAX_BITS

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

/* Returns the index of the first element that is p or more, or n if there is none. */
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

/* As sample in plugin.h. A try is elem_size bytes truncated to the bit length of p, and is rejected
 * if the result is p or more: at worst half of the tries on average. */
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

/* The inverse of from_int: elements above p / 2 represent negative integers. */
HAGG_PRIME_INLINE void hagg_prime_to_int(uint64_t p, size_t elem_size, int64_t *out, const void *in,
                                         size_t n)
{
    HAGG_PRIME_SIZED(elem_size, to_int, p, out, in, n);
}

#undef HAGG_PRIME_SIZED

/* *out = 1 / *a by Fermat, where mul(a, b, p) is the field's product of two canonical elements.
 * Returns 0, or -1 without writing anything if a is zero. The exponent p - 2 is public, so branches
 * may depend on it. */
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

/* Reads a parameter's value as the only decimal spelling of a number of at most max: digits only,
 * no sign, no leading zero. Returns 0, or -1 with the reason in why. */
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

/* For a field without parameters. Returns 0, or -1 with the reason in why. */
static inline int hagg_prime_no_params(const struct hagg_param *params, size_t n_params,
                                       char why[HAGG_WHY_SIZE])
{
    if (n_params == 0)
        return 0;
    snprintf(why, HAGG_WHY_SIZE, "takes no parameters: remove %.64s", params[0].key);
    return -1;
}

#elif defined(HAGG_PRIME_BITS)

/* Included above once for each element width. A loop must compute in words of the element's own
 * width, or part of the vector unit would process zeros. */

#define HAGG_PRIME_JOIN_(a, b) a##b
#define HAGG_PRIME_JOIN(a, b)  HAGG_PRIME_JOIN_(a, b)
#define HAGG_PRIME_NAME(name)  HAGG_PRIME_JOIN(hagg_prime_##name, HAGG_PRIME_BITS)
#define hagg_word              HAGG_PRIME_JOIN(HAGG_PRIME_JOIN(uint, HAGG_PRIME_BITS), _t)
#define hagg_signed            HAGG_PRIME_JOIN(HAGG_PRIME_JOIN(int, HAGG_PRIME_BITS), _t)
#define HAGG_PRIME_TOP         ((hagg_word)((hagg_word)1 << (HAGG_PRIME_BITS - 1)))
#define HAGG_PRIME_LOAD(v, i)  ((hagg_word)hagg_load((v), (i), sizeof(hagg_word)))

/* Makes an element of d, a difference of absolute value below p. d is negative if its top bit is
 * set. */
HAGG_PRIME_INLINE hagg_word HAGG_PRIME_NAME(raise)(hagg_word p, hagg_word d)
{
    return (hagg_word)(d + (p & (hagg_word)(0u - (hagg_word)(d >> (HAGG_PRIME_BITS - 1)))));
}

/* x + y, for a p so large that the top bit is not a sign: x - (p - y), up to one borrow. It
 * compares signed words, because not every vector unit can compare unsigned ones. */
HAGG_PRIME_INLINE hagg_word HAGG_PRIME_NAME(plus)(hagg_word p, hagg_word x, hagg_word y)
{
    hagg_word left = (hagg_word)(x ^ HAGG_PRIME_TOP);
    hagg_word right = (hagg_word)((p ^ HAGG_PRIME_TOP) - y);
    hagg_word borrow = (hagg_signed)left < (hagg_signed)right;

    return (hagg_word)(left - right + (p & (hagg_word)(0u - borrow)));
}

/* x - y, for a p so large that the top bit is not a sign. */
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
        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++)
            hagg_store(out, i, sizeof(hagg_word),
                       HAGG_PRIME_NAME(plus)(p, HAGG_PRIME_LOAD(a, i), HAGG_PRIME_LOAD(b, i)));
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

/* Accumulates in the first value, from zero, whether one of several words is p or more, and tells.
 * Where the vector unit lacks the maximum of unsigned words, sums reach the top bit. */
HAGG_PRIME_INLINE hagg_word HAGG_PRIME_NAME(seen)(hagg_word above, hagg_word p, hagg_word x)
{
#if HAGG_PRIME_BITS <= HAGG_PRIME_MAX_BITS
    (void)p;
    return x > above ? x : above;
#else
    if (p < HAGG_PRIME_TOP)
        return above | x | (x + (HAGG_PRIME_TOP - p));
    return above | (x & ((x & ~HAGG_PRIME_TOP) + (0u - p)));
#endif
}

HAGG_PRIME_INLINE int HAGG_PRIME_NAME(is_above)(hagg_word above, hagg_word p)
{
#if HAGG_PRIME_BITS <= HAGG_PRIME_MAX_BITS
    return above >= p;
#else
    (void)p;
    return (above & HAGG_PRIME_TOP) != 0;
#endif
}

/* True if any of n words, truncated by mask, is p or more. */
HAGG_PRIME_INLINE int HAGG_PRIME_NAME(any_above)(hagg_word p, hagg_word mask, const void *a,
                                                 size_t n)
{
    hagg_word above = 0;

    if (p < HAGG_PRIME_TOP) {
        for (size_t i = 0; i < n; i++)
            above = HAGG_PRIME_NAME(seen)(above, p, HAGG_PRIME_LOAD(a, i) & mask);
    } else {
        for (size_t i = 0; i < n; i++)
            above = HAGG_PRIME_NAME(seen)(above, p, HAGG_PRIME_LOAD(a, i) & mask);
    }
    return HAGG_PRIME_NAME(is_above)(above, p);
}

/* Writes 8 bytes that begin with those of the words in 8 bytes, truncated by mask, that are less
 * than p. Returns the number of bytes of these. All words are compared at once, by sums that reach
 * the top bit of a word but do not carry into the next. */
HAGG_PRIME_INLINE size_t HAGG_PRIME_NAME(copy_good)(hagg_word p, hagg_word mask, void *out,
                                                    const void *a)
{
    const uint64_t each = ~UINT64_C(0) / (hagg_word) ~(hagg_word)0;
    const uint64_t top = each * HAGG_PRIME_TOP;
    uint64_t x = hagg_load64(a) & each * mask;
    uint64_t above;
    size_t len = sizeof x;

    if (p <= HAGG_PRIME_TOP)
        above = x | (x + each * (hagg_word)(HAGG_PRIME_TOP - p));
    else
        above = x & ((x & ~top) + each * (hagg_word)(0u - p));
    above &= top;
    /* A group with a rejected try is rare for wide words, and common for bytes. */
    if (HAGG_PRIME_BITS > 8 && !above) {
        hagg_store64(out, x);
        return len;
    }
    /* takes out one word at a time */
    do {
        const uint64_t first = above & (0 - above);
        const uint64_t before = (first >> (HAGG_PRIME_BITS - 1)) - 1; /* all ones if none */

        x = (x & before) | (x >> HAGG_PRIME_BITS / 2 >> HAGG_PRIME_BITS / 2 & ~before);
        len -= (first != 0) * sizeof(hagg_word);
        above = (above ^ first) >> HAGG_PRIME_BITS / 2 >> HAGG_PRIME_BITS / 2;
    } while (above);
    hagg_store64(out, x);
    return len;
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

/* The loops of add, which also accumulate the test of any_above. */
HAGG_PRIME_INLINE size_t HAGG_PRIME_NAME(add_checked)(hagg_word p, void *out, const void *a,
                                                      const void *b, size_t n)
{
    hagg_word above = 0;

    if (p < HAGG_PRIME_TOP) {
        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++) {
            hagg_word x = HAGG_PRIME_LOAD(b, i);
            hagg_word d = (hagg_word)(HAGG_PRIME_LOAD(a, i) + x - p);

            above = HAGG_PRIME_NAME(seen)(above, p, x);
            hagg_store(out, i, sizeof(hagg_word), HAGG_PRIME_NAME(raise)(p, d));
        }
    } else {
        HAGG_PRIME_SAME_OR_APART
        for (size_t i = 0; i < n; i++) {
            hagg_word x = HAGG_PRIME_LOAD(b, i);

            above = HAGG_PRIME_NAME(seen)(above, p, x);
            hagg_store(out, i, sizeof(hagg_word),
                       HAGG_PRIME_NAME(plus)(p, HAGG_PRIME_LOAD(a, i), x));
        }
    }
    return HAGG_PRIME_NAME(is_above)(above, p) ? HAGG_PRIME_NAME(check)(p, b, n) : n;
}

HAGG_PRIME_INLINE size_t HAGG_PRIME_NAME(sample)(hagg_word p, void *out, size_t n,
                                                 const void *random, size_t n_random, size_t *used)
{
    const size_t block = HAGG_PRIME_BLOCK_BYTES / sizeof(hagg_word);
    const size_t n_tries = n_random / sizeof(hagg_word);
    const hagg_word mask = (hagg_word)(~UINT64_C(0) >> __builtin_clzll(p));
    /* many blocks have no try to reject, and most groups of 8 bytes have none or one */
    const int few = (hagg_word)(mask - p) < mask / block;
    const int rare = (hagg_word)(mask - p) < mask / (2 * sizeof(uint64_t) / sizeof(hagg_word));
    size_t tries = 0;
    size_t done = 0;

    while (done < n && tries < n_tries) {
        const unsigned char *from = (const unsigned char *)random + tries * sizeof(hagg_word);
        unsigned char *to = (unsigned char *)out + done * sizeof(hagg_word);
        size_t room = n - done < block ? n - done : block;
        size_t len = n_tries - tries < room ? n_tries - tries : room;

        if (few && !HAGG_PRIME_NAME(any_above)(p, mask, from, len)) {
            /* If out is random and a try was rejected, the two ranges partly overlap. */
            if (to != from)
                memmove(to, from, len * sizeof(hagg_word));
            HAGG_PRIME_SAME_OR_APART
            for (size_t i = 0; i < len; i++)
                hagg_store(to, i, sizeof(hagg_word), HAGG_PRIME_LOAD(to, i) & mask);
            tries += len;
            done += len;
        } else {
            /* len tries never give more elements than there is room for. */
            size_t i = 0;

            for (; rare && len - i >= sizeof(uint64_t) / sizeof(hagg_word);
                 i += sizeof(uint64_t) / sizeof(hagg_word))
                to += HAGG_PRIME_NAME(copy_good)(p, mask, to, from + i * sizeof(hagg_word));
            for (; i < len; i++) {
                hagg_word x = (hagg_word)(HAGG_PRIME_LOAD(from, i) & mask);

                hagg_store(to, 0, sizeof(hagg_word), x);
                to += x < p ? sizeof(hagg_word) : 0;
            }
            done = (size_t)(to - (unsigned char *)out) / sizeof(hagg_word);
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
#undef hagg_signed

#endif
