/*
 * quantize_chance.h - stochastic rounding, for quantize.c.
 */
#ifndef HAGG_QUANTIZE_CHANCE_H
#define HAGG_QUANTIZE_CHANCE_H

#include <math.h>

#include "crypto/random.h"

/* The integer of a value v from -clip to clip is one of the neighbours of v / clip * half + mid,
 * which is from lo to hi. */
struct quantize_scale {
    double clip, half, mid, lo, hi;
};

/* Integers up to this bound can be rounded by addition. */
#define QUANTIZE_SMALL 0x1p50

/* Returns the value in units of the integers. */
static inline double quantize_scaled(const struct quantize_scale *s, double value)
{
    return fmin(fmax(value / s->clip * s->half + s->mid, s->lo), s->hi);
}

#define QUANTIZE_CHANCE_BATCH 1024

/* Rounds up to QUANTIZE_CHANCE_BATCH values, each from -clip to clip. Let s be the scaled value, a
 * double. The integer is floor(s) + 1 with probability s - floor(s), and floor(s) otherwise: a
 * uniform number from 0 to 1, of as many bits as it takes, is compared with s - floor(s). Its first
 * 32 bits are drawn for all values at once. */
int quantize_chance(const struct quantize_scale *s, int64_t *out, const double *in, size_t n,
                    struct random *random, struct hagg_err *err);

#endif
