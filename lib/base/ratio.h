/*
 * ratio.h - small exact fractions that are not negative, as people write them.
 */
#ifndef HAGG_RATIO_H
#define HAGG_RATIO_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define RATIO_MOST (UINT32_C(1) << 30) /* of a numerator, and of a denominator */

/* num / den, in lowest terms. */
struct ratio {
    uint32_t num, den;
};

uint64_t ratio_gcd(uint64_t a, uint64_t b);

enum ratio_result { RATIO_OK, RATIO_MALFORMED, RATIO_TOO_LARGE };

/* Parses n bytes: "2", "0.25" or "1/3", without signs, exponents and leading zeros. RATIO_TOO_LARGE
 * if the numerator or the denominator exceeds RATIO_MOST in lowest terms, or if there are more than
 * 18 digits. */
enum ratio_result ratio_parse(const char *text, size_t n, struct ratio *r);

/* Prints num / den in lowest terms: with up to six decimals if these are exact, otherwise as a
 * fraction. den is not 0. */
void ratio_print(uint64_t num, uint64_t den, struct text *text);

#endif
