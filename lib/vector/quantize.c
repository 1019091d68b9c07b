#include "vector/quantize.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "vector/quantize_chance.h"

/* Values that are converted at once. */
#define BATCH QUANTIZE_CHANCE_BATCH

void quantize_range(const struct header_quant *q, int64_t *lo, int64_t *hi)
{
    *hi = q->bits > 0 ? ((int64_t)1 << (q->bits - 1)) - 1 : (int64_t)q->levels - 1;
    *lo = q->bits > 0 ? -*hi : 0;
}

uint32_t quantize_most_bits(int64_t max)
{
    struct header_quant next = { .bits = 3 };
    int64_t lo, hi;

    for (; next.bits <= QUANTIZE_USEFUL_BITS; next.bits++) {
        quantize_range(&next, &lo, &hi);
        if (hi > max)
            break;
    }
    return next.bits - 1;
}

/* The integer of a value v is near v / clip * half + mid. */
static struct quantize_scale scale_of(const struct header_quant *q)
{
    struct quantize_scale s = { .clip = q->clip };
    int64_t lo, hi;

    quantize_range(q, &lo, &hi);
    s.lo = (double)lo; /* 2^61 for 2^61 - 1 */
    s.hi = (double)hi;
    s.half = (s.hi - s.lo) / 2;
    s.mid = (s.hi + s.lo) / 2;
    return s;
}

double quantize_step(const struct header_quant *q)
{
    return q->clip / scale_of(q).half;
}

void quantize_error(const struct header_quant *q, uint64_t n_clients, struct quantize_error *e)
{
    bool by_chance = q->rounding == HEADER_STOCHASTIC;
    double step = quantize_step(q), n = (double)n_clients;
    /* doubles are rounded up to nine times on the way and back, altogether by at most 2^-50 of the
     * largest integer: negligible with 16 bits, much more than a step with 60 */
    double doubles = ldexp(scale_of(q).hi, -50);

    e->worst = (doubles + (by_chance ? 1 : 0.5)) * n * step;
    e->deviation = by_chance ? sqrt(n) * step / 2 : 0;
    e->bias = by_chance ? doubles * n * step : e->worst;
}

/* Returns true if all absolute values are at most max. No branch depends on a value. */
static bool are_within(const double *in, size_t n, double max)
{
    unsigned outside = 0;

    for (size_t i = 0; i < n; i++)
        outside |= !(in[i] <= max) | !(in[i] >= -max);
    return !outside;
}

/* Copies values and clips them to max. */
static int clip(double *out, const double *in, size_t n, double max, uint64_t first,
                uint64_t *n_clipped, struct hagg_err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(in[i]))
            return err_set(err, HAGG_E_MALFORMED, "element %llu is %s",
                           (unsigned long long)(first + i),
                           isnan(in[i]) ? "not a number" : "infinite");
        out[i] = in[i];
        if (fabs(in[i]) <= max)
            continue;
        if (!n_clipped)
            return err_set(err, HAGG_E_MALFORMED,
                           "element %llu is beyond the clip of %g: scale the vector or use --clip",
                           (unsigned long long)(first + i), max);
        ++*n_clipped;
        out[i] = copysign(max, in[i]);
    }
    return 0;
}

static void signs(int64_t *out, const double *in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = in[i] >= 0;
}

/* For absolute values below 2^51, adding and subtracting 1.5 * 2^52 rounds to the nearest integer,
 * ties to even, as nearbyint does. Unlike nearbyint it is vectorised on every target. */
static void round_small(const struct quantize_scale *s, int64_t *out, const double *in, size_t n)
{
    const double magic = 6755399441055744.0;

    for (size_t i = 0; i < n; i++) {
        double rounded = (in[i] / s->clip * s->half + s->mid + magic) - magic;

        rounded = rounded > s->hi ? s->hi : rounded;
        rounded = rounded < s->lo ? s->lo : rounded;
        out[i] = (int64_t)rounded;
    }
}

static void round_to_nearest(const struct quantize_scale *s, int64_t *out, const double *in,
                             size_t n)
{
    if (s->hi <= QUANTIZE_SMALL)
        round_small(s, out, in, n);
    else
        for (size_t i = 0; i < n; i++)
            out[i] = (int64_t)nearbyint(quantize_scaled(s, in[i]));
}

/* Doubles do not have the largest integer of many bits, but the next one. */
static void limit(const struct header_quant *q, int64_t *ints, size_t n)
{
    int64_t lo, hi;

    quantize_range(q, &lo, &hi);
    for (size_t i = 0; i < n; i++)
        ints[i] = ints[i] > hi ? hi : ints[i] < lo ? lo : ints[i];
}

static int convert(const struct header_quant *q, const struct quantize_scale *s, int64_t *out,
                   const double *in, size_t n, struct random *random, struct hagg_err *err)
{
    if (q->rounding == HEADER_SIGN)
        signs(out, in, n);
    else if (q->rounding == HEADER_NEAREST)
        round_to_nearest(s, out, in, n);
    else if (quantize_chance(s, out, in, n, random, err))
        return -1;
    if (s->hi > QUANTIZE_SMALL)
        limit(q, out, n);
    return 0;
}

int quantize_values(const struct header_quant *q, int64_t *out, const double *in, size_t n,
                    uint64_t first, struct random *random, uint64_t *n_clipped,
                    struct hagg_err *err)
{
    struct quantize_scale s = scale_of(q);
    double max = q->rounding == HEADER_SIGN ? DBL_MAX : q->clip, clipped[BATCH];
    bool is_clipped = false;
    int status = 0;

    for (size_t at = 0; at < n && status == 0; at += BATCH) {
        size_t now = n - at < BATCH ? n - at : BATCH;
        bool within = are_within(in + at, now, max);

        if (!within)
            status = clip(clipped, in + at, now, max, first + at, n_clipped, err);
        if (status == 0)
            status = convert(q, &s, out + at, within ? in + at : clipped, now, random, err);
        is_clipped |= !within;
    }
    if (is_clipped)
        explicit_bzero(clipped, sizeof clipped);
    return status;
}

void quantize_back(const struct header_quant *q, double *out, const int64_t *in, size_t n,
                   uint64_t n_clients, double divisor)
{
    double step = quantize_step(q);
    int64_t lo, hi;
    uint64_t mid;
    double rest;

    /* n_clients times the integer of 0, which is odd / 2 for an even number of levels */
    quantize_range(q, &lo, &hi);
    mid = n_clients * (uint64_t)((hi + lo) / 2);
    rest = (hi + lo) % 2 ? (double)n_clients / 2 : 0;
    for (size_t i = 0; i < n; i++)
        out[i] = ((double)(int64_t)((uint64_t)in[i] - mid) - rest) * step / divisor;
}
