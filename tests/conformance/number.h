/* Properties of integers, for checking the description of a field. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stdint.h>

bool number_is_prime(uint64_t n);

/* True if n = base^m for some m >= 1. base >= 2. */
bool number_is_power(uint64_t n, uint64_t base);

/* Returns the number of bits in the largest number below n. n >= 2. */
unsigned number_bits_below(uint64_t n);

#endif
