/*
 * fraction.h - exact fractions of any size, and how they are printed.
 */
#ifndef HAGG_COST_FRACTION_H
#define HAGG_COST_FRACTION_H

#include <gmp.h>
#include <stdint.h>

#include "base/text.h"

void fraction_set_integer(mpz_t z, uint64_t value);

/* sum += a * b */
void fraction_add_product(mpz_t sum, uint64_t a, uint64_t b);

/* sum += times * num / den. den is not 0. */
void fraction_add(mpq_t sum, uint64_t times, uint64_t num, uint64_t den);

/* "44" or "103/3 = 34.333". A fraction too long to read is printed as "about" and its decimals. */
void fraction_print(const mpq_t q, struct text *text);

/* Rounded to three decimals. */
void fraction_print_decimal(const mpq_t q, struct text *text);

/* For programs: rounded to 15 significant digits, which a double preserves, without trailing zeros.
 * q is not negative. */
void fraction_print_digits(const mpq_t q, struct text *text);

/* The same with 7 digits, for people. */
void fraction_print_seven(const mpq_t q, struct text *text);

/* "103/3", however long it is. */
void fraction_print_exact(const mpq_t q, struct text *text);

/* An integer exactly, anything else with three decimals. */
void fraction_print_short(const mpq_t q, struct text *text);

void fraction_print_integer(const mpz_t z, struct text *text);

#endif
