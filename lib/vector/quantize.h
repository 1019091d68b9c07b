/*
 * quantize.h - converts real numbers to integers and back: signed fixed point.
 *
 * One unit of the integers is a step, clip / (2^(bits-1) - 1). The value clip becomes 2^(bits-1) -
 * 1, so an integer has at most bits bits including its sign, and the absolute value of a sum over n
 * clients is below n * 2^(bits-1).
 */
#ifndef HAGG_QUANTIZE_H
#define HAGG_QUANTIZE_H

#include "header.h"
#include "crypto/random.h"

/* Sets *lo and *hi to the least and the largest integer, those for -clip and clip. */
void quantize_range(const struct header_quant *q, int64_t *lo, int64_t *hi);

/* Significant bits of a double. Integers with more bits gain nothing. */
#define QUANTIZE_USEFUL_BITS 53

/* Returns the largest number of bits, up to QUANTIZE_USEFUL_BITS, for which integers are at most
 * max; max is above 0. */
uint32_t quantize_most_bits(int64_t max);

/* Returns the value of one unit of the integers. */
double quantize_step(const struct header_quant *q);

/* Returns a bound on the error of a sum over n_clients, in the unit of the vector. */
double quantize_worst_error(const struct header_quant *q, uint64_t n_clients);

/* Converts in[i] to an integer out[i]. If n_clipped is not NULL, values beyond clip are clipped and
 * counted in *n_clipped; otherwise they are an error. NaN and infinity always are an error.
 * Messages name element first + i. random is used for stochastic rounding only, and may be NULL
 * otherwise. */
int quantize_values(const struct header_quant *q, int64_t *out, const double *in, size_t n,
                    uint64_t first, struct random *random, uint64_t *n_clipped,
                    struct hagg_err *err);

/* out[i] = in[i] * step / divisor */
void quantize_back(const struct header_quant *q, double *out, const int64_t *in, size_t n,
                   double divisor);

#endif
