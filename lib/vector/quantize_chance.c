#include "vector/quantize_chance.h"

#include <stdbool.h>
#include <string.h>

#include <hagg/plugin.h>

/* Random bits of one draw, little-endian. */
#define COIN_BYTES sizeof(uint32_t)
#define COINS      0x1p32

/* Draws more bits of a number whose bits so far are those of a fraction. rest, above 0 and below 1,
 * is what remains of the fraction, in units of the last bit. Sets *is_below if the number is below
 * the fraction. */
static int draw_on(double rest, struct random *random, bool *is_below, struct hagg_err *err)
{
    unsigned char bytes[COIN_BYTES];
    double coin;

    do {
        if (random_bytes(random, bytes, sizeof bytes, err))
            return -1;
        coin = (double)hagg_load32(bytes);
        rest = rest * COINS - coin;
    } while (rest > 0 && rest < 1);
    *is_below = rest > 0;
    explicit_bzero(bytes, sizeof bytes);
    return 0;
}

/* Rounds by the first bits, and down if these do not decide. Returns true if there is such a value.
 * No branch depends on a fraction, which would be mispredicted half of the time. */
static bool round_by(const struct quantize_scale *s, int64_t *out, const double *in,
                     const unsigned char *coins, size_t n)
{
    unsigned undecided = 0;

    for (size_t i = 0; i < n; i++) {
        double scaled = in[i] / s->clip * s->half + s->mid, low, rest;

        scaled = scaled > s->hi ? s->hi : scaled;
        scaled = scaled < s->lo ? s->lo : scaled;
        low = floor(scaled);
        rest = (scaled - low) * COINS - (double)hagg_load32(coins + i * COIN_BYTES);
        out[i] = (int64_t)low + (rest >= 1);
        undecided |= (rest > 0) & (rest < 1);
    }
    return undecided;
}

static int decide(const struct quantize_scale *s, int64_t *out, const double *in,
                  const unsigned char *coins, size_t n, struct random *random, struct hagg_err *err)
{
    for (size_t i = 0; i < n; i++) {
        double scaled = quantize_scaled(s, in[i]);
        double rest =
            (scaled - floor(scaled)) * COINS - (double)hagg_load32(coins + i * COIN_BYTES);
        bool is_below;

        if (!(rest > 0 && rest < 1))
            continue;
        if (draw_on(rest, random, &is_below, err))
            return -1;
        out[i] += is_below;
    }
    return 0;
}

int quantize_chance(const struct quantize_scale *s, int64_t *out, const double *in, size_t n,
                    struct random *random, struct hagg_err *err)
{
    unsigned char coins[QUANTIZE_CHANCE_BATCH * COIN_BYTES];
    int status = random_bytes(random, coins, n * COIN_BYTES, err);

    if (status == 0 && round_by(s, out, in, coins, n))
        status = decide(s, out, in, coins, n, random, err);
    explicit_bzero(coins, n * COIN_BYTES);
    return status;
}
