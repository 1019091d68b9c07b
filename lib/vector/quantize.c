#include "vector/quantize.h"

#include <math.h>
#include <string.h>

#include <hagg/plugin.h>

/* Random numbers, drawn so many at once, are little-endian. */
#define BATCH      1024
#define COIN_BYTES sizeof(uint32_t)

/* Returns the largest integer; the least is its negative. */
static int64_t max_int(const struct header_quant *q)
{
    return ((int64_t)1 << (q->bits - 1)) - 1;
}

void quantize_range(const struct header_quant *q, int64_t *lo, int64_t *hi)
{
    *hi = max_int(q);
    *lo = -*hi;
}

uint32_t quantize_most_bits(int64_t max)
{
    struct header_quant next = { .bits = 3 };

    while (next.bits <= QUANTIZE_USEFUL_BITS && max_int(&next) <= max)
        next.bits++;
    return next.bits - 1;
}

double quantize_step(const struct header_quant *q)
{
    return q->clip / (double)max_int(q);
}

double quantize_worst_error(const struct header_quant *q, uint64_t n_clients)
{
    double per_client = q->rounding == HEADER_NEAREST ? 0.5 : 1.0;

    /* doubles are rounded six times on the way and back, each time by at most 2^-53 of the value:
     * negligible with 16 bits, much more than a step with 60 */
    per_client += ldexp((double)max_int(q), -50);
    return per_client * (double)n_clients * quantize_step(q);
}

/* Computes the value in units of the step, within the range. Fails if it is not finite, or beyond
 * clip and must not be clipped. */
static int scale(const struct header_quant *q, double value, uint64_t index, uint64_t *n_clipped,
                 double *scaled, struct hagg_err *err)
{
    double max = (double)max_int(q);

    if (!isfinite(value))
        return err_set(err, HAGG_E_MALFORMED, "element %llu is %s", (unsigned long long)index,
                       isnan(value) ? "not a number" : "infinite");
    if (fabs(value) > q->clip) {
        if (!n_clipped)
            return err_set(err, HAGG_E_MALFORMED,
                           "element %llu is beyond the clip of %g: scale the vector or use --clip",
                           (unsigned long long)index, q->clip);
        ++*n_clipped;
        value = copysign(q->clip, value);
    }
    *scaled = fmin(fmax(value / q->clip * max, -max), max);
    return 0;
}

/* Converts the scaled and rounded value to an integer within the range. Above 2^53 all doubles are
 * integers. */
static int64_t to_int(double scaled, int64_t max)
{
    /* a large max, such as 2^61 - 1, becomes a double that is larger by one */
    if (scaled >= (double)max)
        return max;
    if (scaled <= -(double)max)
        return -max;
    return (int64_t)scaled;
}

static int stochastic(const struct header_quant *q, int64_t *out, const double *in, size_t n,
                      uint64_t first, struct random *random, uint64_t *n_clipped,
                      struct hagg_err *err)
{
    unsigned char coins[BATCH * COIN_BYTES];
    int status = random_bytes(random, coins, n * COIN_BYTES, err);

    for (size_t i = 0; i < n && status == 0; i++) {
        double scaled = 0, low;

        status = scale(q, in[i], first + i, n_clipped, &scaled, err);
        if (status)
            break;
        low = floor(scaled);
        /* round up with the probability of the fraction, to within 2^-32 */
        out[i] = to_int(low + (ldexp(hagg_load32(coins + i * COIN_BYTES), -32) < scaled - low),
                        max_int(q));
    }
    explicit_bzero(coins, sizeof coins);
    return status;
}

/* Returns true if all values are finite and within the clip. No branch depends on a value. */
static bool are_within(const double *in, size_t n, double clip)
{
    unsigned outside = 0;

    for (size_t i = 0; i < n; i++)
        outside |= !(in[i] <= clip) | !(in[i] >= -clip);
    return !outside;
}

/* For absolute values below 2^51, adding and subtracting 1.5 * 2^52 rounds to the nearest integer,
 * ties to even, as nearbyint does. Unlike nearbyint it is vectorised on every target. */
static void round_to_nearest(const struct header_quant *q, int64_t *out, const double *in, size_t n)
{
    const double magic = 6755399441055744.0;
    double max = (double)max_int(q);

    for (size_t i = 0; i < n; i++) {
        double rounded = (in[i] / q->clip * max + magic) - magic;

        rounded = rounded > max ? max : rounded;
        rounded = rounded < -max ? -max : rounded;
        out[i] = (int64_t)rounded;
    }
}

int quantize_values(const struct header_quant *q, int64_t *out, const double *in, size_t n,
                    uint64_t first, struct random *random, uint64_t *n_clipped,
                    struct hagg_err *err)
{
    double scaled = 0;

    if (q->rounding == HEADER_STOCHASTIC) {
        for (size_t at = 0; at < n; at += BATCH) {
            size_t now = n - at < BATCH ? n - at : BATCH;

            if (stochastic(q, out + at, in + at, now, first + at, random, n_clipped, err))
                return -1;
        }
        return 0;
    }
    if (q->bits <= 50 && are_within(in, n, q->clip)) {
        round_to_nearest(q, out, in, n);
        return 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (scale(q, in[i], first + i, n_clipped, &scaled, err))
            return -1;
        out[i] = to_int(nearbyint(scaled), max_int(q));
    }
    return 0;
}

void quantize_back(const struct header_quant *q, double *out, const int64_t *in, size_t n,
                   double divisor)
{
    double step = quantize_step(q);

    for (size_t i = 0; i < n; i++)
        out[i] = (double)in[i] * step / divisor;
}
