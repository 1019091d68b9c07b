/*
 * fraction.h - exact fractions of any size, and how they are shown.
 */
#ifndef HAGG_COST_FRACTION_H
#define HAGG_COST_FRACTION_H

#include <gmp.h>
#include <stdint.h>

#include "text.h"

/* sum += times * num / den. den is not 0. */
void fraction_add(mpq_t sum, uint64_t times, uint64_t num, uint64_t den);

/* "44" or "103/3 = 34.333"; one too long to read is shown by its decimals alone, after "about". */
void fraction_print(const mpq_t q, struct text *text);

/* Three decimals, the last one rounded. */
void fraction_print_decimal(const mpq_t q, struct text *text);

#endif
