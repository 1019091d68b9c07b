/*
 * fraction.h - exact fractions of any size, and how they are shown.
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

/* "44" or "103/3 = 34.333"; one too long to read is shown by its decimals alone, after "about". */
void fraction_print(const mpq_t q, struct text *text);

/* Three decimals, the last one rounded. */
void fraction_print_decimal(const mpq_t q, struct text *text);

/* A decimal of 15 significant digits, as many as a double keeps, rounded, without zeros at its end:
 * what programs read. q is not negative. */
void fraction_print_digits(const mpq_t q, struct text *text);

/* The same of 7 digits, for people. */
void fraction_print_seven(const mpq_t q, struct text *text);

/* "103/3", however long it is. */
void fraction_print_exact(const mpq_t q, struct text *text);

/* An integer as it is, anything else with three decimals. */
void fraction_print_short(const mpq_t q, struct text *text);

void fraction_print_integer(const mpz_t z, struct text *text);

#endif
