/*
 * quantize.h - real numbers to integers and back: signed fixed point.
 *
 * clip becomes 2^(bits-1) - 1, so a value takes bits bits and a sum of n clients stays below
 * n * 2^(bits-1) in size. Everything between is a multiple of the step, clip / (2^(bits-1) - 1).
 */
#ifndef HAGG_QUANTIZE_H
#define HAGG_QUANTIZE_H

#include "header.h"
#include "sharing/random.h"

/* The largest integer that a value becomes. */
int64_t quantize_max(const struct header_quant *q);

/* A double has so many significant bits: integers of more gain nothing. */
#define QUANTIZE_USEFUL_BITS 53

/* The most bits that are useful and whose integers are at most max, which is above 0. */
uint32_t quantize_most_bits(int64_t max);

/* What one unit of the integers is worth. */
double quantize_step(const struct header_quant *q);

/* The most that a sum over n_clients can be off by, in the vector's own unit. */
double quantize_worst_error(const struct header_quant *q, uint64_t n_clients);

/* out[i] = in[i] as an integer. Values beyond clip are cut to it and counted in *n_clipped when
 * n_clipped is not NULL, otherwise an error; NaN and infinity always are. Messages name
 * element first + i. random is needed for stochastic rounding only. */
int quantize_values(const struct header_quant *q, int64_t *out, const double *in, size_t n,
                    uint64_t first, struct random *random, uint64_t *n_clipped,
                    struct hagg_err *err);

/* out[i] = in[i] * step / divisor */
void quantize_back(const struct header_quant *q, double *out, const int64_t *in, size_t n,
                   double divisor);

#endif
