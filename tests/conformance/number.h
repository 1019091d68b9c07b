/* Facts about integers that a field's description must agree with. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stdint.h>

bool number_is_prime(uint64_t n);

/* Is n = base^m for some m >= 1? base >= 2. */
bool number_is_power(uint64_t n, uint64_t base);

/* How many binary digits the numbers below n need. n >= 2. */
unsigned number_bits_below(uint64_t n);

#endif
