/*
 * quantize.h - converts real numbers to integers and back.
 *
 * With b bits, the integers are those from -m to m, m = 2^(b-1) - 1, and -clip and clip become -m
 * and m. With L levels they are those from 0 to L - 1, and -clip and clip become 0 and L - 1. A
 * step is the distance of two numbers that become neighbours.
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

/* Returns the distance of two numbers whose integers differ by 1. */
double quantize_step(const struct header_quant *q);

/* Bounds on the error of an element of a sum over n_clients, in the unit of the vector, for values
 * from -clip to clip; with HEADER_SIGN, from -2 clip to 2 clip. */
struct quantize_error {
    double worst;     /* the absolute value */
    double deviation; /* the standard deviation; 0 unless rounding is stochastic */
    double bias;      /* the absolute value of the mean */
};

void quantize_error(const struct header_quant *q, uint64_t n_clients, struct quantize_error *e);

/* Converts in[i] to an integer out[i]. If n_clipped is not NULL, values beyond clip are clipped and
 * counted in *n_clipped; otherwise they are an error. With HEADER_SIGN no value is beyond clip. NaN
 * and infinity always are an error. Messages name element first + i. random is used for stochastic
 * rounding only, and may be NULL otherwise. */
int quantize_values(const struct header_quant *q, int64_t *out, const double *in, size_t n,
                    uint64_t first, struct random *random, uint64_t *n_clipped,
                    struct hagg_err *err);

/* Sets out[i] to the number that in[i] represents, a sum of integers of n_clients, divided by
 * divisor. n_clients does not matter for bits. */
void quantize_back(const struct header_quant *q, double *out, const int64_t *in, size_t n,
                   uint64_t n_clients, double divisor);

#endif
