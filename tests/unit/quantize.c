#include "vector/quantize.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "feed.h"
#include "reference.h"

static uint64_t state = 11;

static int64_t largest(const struct header_quant *q)
{
    int64_t lo, hi;

    quantize_range(q, &lo, &hi);
    CHECK(lo == -hi);
    return hi;
}

static int64_t one(const struct header_quant *q, double value, struct random *random)
{
    struct hagg_err err = { 0 };
    int64_t out = INT64_MIN;

    CHECK(quantize_values(q, &out, &value, 1, 0, random, NULL, &err) == 0);
    return out;
}

/* Half of the clip is exactly between two integers, of which the upper is even except with 2
 * bits. */
static void breaks_ties_to_even(void)
{
    for (uint32_t bits = 2; bits <= 62; bits++)
        for (int exponent = -1000; exponent <= 1000; exponent += 250) {
            struct header_quant q = { .bits = bits, .clip = ldexp(1, exponent) };
            int64_t want = bits == 2 ? 0 : INT64_C(1) << (bits - 2);

            CHECK(one(&q, q.clip / 2, NULL) == want);
            CHECK(one(&q, -q.clip / 2, NULL) == -want);
        }
}

/* The largest integer is 2^(bits-1) - 1; a double has 53 bits. */
static void knows_the_most_bits(void)
{
    CHECK(quantize_most_bits(1) == 2);
    CHECK(quantize_most_bits(2) == 2);
    CHECK(quantize_most_bits(3) == 3);
    CHECK(quantize_most_bits((INT64_C(1) << 30) - 2) == 30);
    CHECK(quantize_most_bits((INT64_C(1) << 30) - 1) == 31);
    CHECK(quantize_most_bits((INT64_C(1) << 52) - 2) == 52);
    CHECK(quantize_most_bits((INT64_C(1) << 52) - 1) == 53);
    CHECK(quantize_most_bits(INT64_MAX) == 53);
}

static void reaches_both_ends(void)
{
    for (uint32_t bits = 2; bits <= 62; bits++)
        for (int rounding = HEADER_NEAREST; rounding <= HEADER_STOCHASTIC; rounding++) {
            static const double clips[] = {
                1, 0.1, 3, 1e300, 1e-300, 7e-310, 1.7976931348623157e308
            };
            struct hagg_err err = { 0 };
            struct random *random = random_new(&err);

            for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
                struct header_quant q = { .bits = bits,
                                          .clip = clips[i],
                                          .rounding = (enum header_rounding)rounding };
                int64_t max = (int64_t)((UINT64_C(1) << (bits - 1)) - 1);

                CHECK(largest(&q) == max);
                CHECK(one(&q, q.clip, random) == max);
                CHECK(one(&q, -q.clip, random) == -max);
                CHECK(one(&q, 0, random) == 0 && one(&q, -0.0, random) == 0);
            }
            random_free(random);
        }
}

/* Compares with exact quotients of 128-bit integers. Doubles may differ if the exact value is next
 * to a half. */
static void agrees_with_fractions(void)
{
    for (int trial = 0; trial < 20000; trial++) {
        uint32_t bits = 2 + (uint32_t)(reference_next(&state) % 61);
        int64_t clip = 1 + (int64_t)(reference_next(&state) % (1u << 30));
        int64_t value = (int64_t)(reference_next(&state) % (2 * (uint64_t)clip + 1)) - clip;
        struct header_quant q = { .bits = bits, .clip = (double)clip };
        __int128 exact = (__int128)value * largest(&q); /* in units of 1 / clip */
        __int128 got = one(&q, (double)value, NULL), off = got * clip - exact;
        __int128 slack = ((__int128)largest(&q) * clip >> 51) + 1;

        if (off < 0)
            off = -off;
        CHECK(2 * off <= clip + 2 * slack);
        CHECK(got >= -largest(&q) && got <= largest(&q));
    }
}

/* Rounding blocks gives the same as rounding single values, whether or not another value is
 * clipped. */
static void does_not_depend_on_company(void)
{
    enum { N = 3000 };
    static const uint32_t all_bits[] = { 2, 8, 16, 31, 50, 51, 62 };
    static double in[N + 1];
    static int64_t alone[N + 1], clipped[N + 1];

    for (size_t b = 0; b < sizeof all_bits / sizeof *all_bits; b++) {
        struct header_quant q = { .bits = all_bits[b], .clip = 0.7 };
        struct hagg_err err = { 0 };
        uint64_t n_clipped = 0;
        size_t wrong = 0;

        for (size_t i = 0; i < N; i++)
            in[i] = 0.7 * (1 - ldexp((double)(reference_next(&state) >> 11), -52));
        in[N] = -5;
        CHECK(quantize_values(&q, alone, in, N, 0, NULL, NULL, &err) == 0);
        CHECK(quantize_values(&q, clipped, in, N + 1, 0, NULL, &n_clipped, &err) == 0);
        CHECK(n_clipped == 1 && clipped[N] == -largest(&q));
        for (size_t i = 0; i < N; i++)
            wrong += alone[i] != clipped[i];
        CHECK(wrong == 0);
    }
}

/* The result is one of the two neighbours, and its mean is the value, within six standard
 * deviations; an integer is unchanged. */
static void rounds_by_chance(void)
{
    enum { N = 40000 };
    static const double fractions[] = { 0.5, 0.25, 0.9, 0.001, 0.999, 0 };
    static double in[N];
    static int64_t out[N];
    struct header_quant q = { .bits = 12, .clip = 2047, .rounding = HEADER_STOCHASTIC };
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);

    for (size_t f = 0; f < sizeof fractions / sizeof *fractions; f++)
        for (int base = -3; base <= 3; base += 3) {
            double p = fractions[f], sigma = sqrt(N * p * (1 - p)), n_up = 0;
            size_t wrong = 0;

            for (size_t i = 0; i < N; i++)
                in[i] = base + p;
            CHECK(quantize_values(&q, out, in, N, 0, random, NULL, &err) == 0);
            for (size_t i = 0; i < N; i++) {
                wrong += out[i] != base && out[i] != base + 1;
                n_up += (double)(out[i] - base);
            }
            CHECK(wrong == 0);
            /* clip times a quotient may differ from an integer by one unit in the last place */
            CHECK(fabs(n_up - N * p) <= 6 * sigma + 0.001);
        }
    random_free(random);
}

/* Uses four little-endian bytes per value, and rounds up if they are below its fraction of 2^32. */
static void takes_known_coins(void)
{
    static const unsigned char coins[] = { 0xff, 0xff, 0xff, 0x3f, 0,    0,    0,    0x40,
                                           0,    0,    0,    0,    0xff, 0xff, 0xff, 0xff };
    static const double in[] = { 1.25, 1.25, -1.75, -1.75 };
    struct header_quant q = { .bits = 4, .clip = 7, .rounding = HEADER_STOCHASTIC };
    struct hagg_err err = { 0 };
    struct random *random = random_open(feed_file(coins, sizeof coins), &err);
    int64_t out[4];

    q.clip = 8;
    q.bits = 2; /* scaled by 1/8 */
    CHECK(quantize_values(&q, out, (const double[]){ 2, 2, -6, -6 }, 4, 0, random, NULL, &err) ==
          0);
    CHECK(out[0] == 1 && out[1] == 0 && out[2] == 0 && out[3] == -1);
    CHECK(quantize_values(&q, out, in, 4, 0, random, NULL, &err) == -1);
    CHECK(err.status == HAGG_E_SYSTEM);
    random_free(random);
}

static void refuses(const struct header_quant *q, double value, size_t at, const char *want,
                    uint64_t *n_clipped)
{
    double in[2500] = { 0 };
    int64_t out[2500];
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);

    in[at] = value;
    CHECK(quantize_values(q, out, in, 2500, 1000000, random, n_clipped, &err) == -1);
    CHECK(err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, want);
    random_free(random);
}

static void names_the_element(void)
{
    struct header_quant nearest = { .bits = 8, .clip = 1.5 };
    struct header_quant chance = { .bits = 8, .clip = 1.5, .rounding = HEADER_STOCHASTIC };
    uint64_t n_clipped = 0;

    for (int i = 0; i < 2; i++) {
        const struct header_quant *q = i ? &chance : &nearest;

        refuses(q, NAN, 7, "element 1000007 is not a number", NULL);
        refuses(q, INFINITY, 2499, "element 1002499 is infinite", NULL);
        refuses(q, -INFINITY, 0, "element 1000000 is infinite", NULL);
        refuses(q, NAN, 1024, "element 1001024 is not a number", &n_clipped);
        refuses(q, INFINITY, 1023, "element 1001023 is infinite", &n_clipped);
        refuses(q, nextafter(1.5, 2), 3,
                "element 1000003 is beyond the clip of 1.5: scale the vector or use --clip", NULL);
        refuses(q, -1e300, 2000,
                "element 1002000 is beyond the clip of 1.5: scale the vector or use --clip", NULL);
    }
}

static void clips_and_counts(void)
{
    double in[] = { 9, -9, 1.5, -1.5, nextafter(1.5, 2), 1e308, 0 };
    int64_t want[] = { 127, -127, 127, -127, 127, 127, 0 }, out[7];
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);

    for (int rounding = HEADER_NEAREST; rounding <= HEADER_STOCHASTIC; rounding++) {
        struct header_quant q = { .bits = 8,
                                  .clip = 1.5,
                                  .rounding = (enum header_rounding)rounding };
        uint64_t n_clipped = 5;

        CHECK(quantize_values(&q, out, in, 7, 0, random, &n_clipped, &err) == 0);
        CHECK(memcmp(out, want, sizeof out) == 0 && n_clipped == 5 + 4);
    }
    random_free(random);
}

/* After conversion and back, the error of the sum is within the reported bound. */
static void keeps_its_promise(void)
{
    enum { N = 200 };

    for (int trial = 0; trial < 600; trial++) {
        uint32_t bits = 2 + (uint32_t)trial % 55; /* sums of 200 stay below 2^63 */
        struct header_quant q = { .bits = bits,
                                  .clip = 0.1 + (double)(reference_next(&state) % 1000),
                                  .rounding = trial % 2 };
        struct quantize_error bound;
        struct hagg_err err = { 0 };
        struct random *random = random_new(&err);
        int64_t sum = 0;
        long double truth = 0;
        double back;

        for (int i = 0; i < N; i++) {
            double value = q.clip * (1 - ldexp((double)(reference_next(&state) >> 11), -52));

            sum += one(&q, value, random);
            truth += (long double)value;
        }
        quantize_back(&q, &back, &sum, 1, N, 1);
        quantize_error(&q, N, &bound);
        CHECK(fabsl((long double)back - truth) <= (long double)bound.worst);
        random_free(random);
    }
    CHECK(quantize_step(&(struct header_quant){ .bits = 3, .clip = 6 }) == 2);
}

/* The clip is half of 2^bits, as is the largest integer rounded to a double: whole numbers of up to
 * 53 bits are integers already, and neither rounding changes them. */
static void keeps_large_integers(void)
{
    for (int trial = 0; trial < 4000; trial++) {
        uint32_t bits = 55 + (uint32_t)trial % 8;
        struct header_quant q = { .bits = bits,
                                  .clip = ldexp(1, (int)bits - 1),
                                  .rounding = trial & 8 ? HEADER_STOCHASTIC : HEADER_NEAREST };
        int64_t want = (int64_t)(reference_next(&state) >> 11) << (bits - 55) >> trial % 7 * 8;
        struct hagg_err err = { 0 };
        struct random *random = random_new(&err);

        CHECK(one(&q, (double)want, random) == want && one(&q, -(double)want, random) == -want);
        random_free(random);
    }
}

/* Of the largest integers, doubles lose more than a step: 2^-50 of the clip for each client. */
static void bounds_errors_of_doubles(void)
{
    struct header_quant q = { .bits = 60, .clip = 1 };
    struct quantize_error e;

    quantize_error(&q, 2, &e);
    CHECK(e.worst >= ldexp(1, -49) && e.worst < ldexp(1, -48));
}

static void divides(void)
{
    struct header_quant q = { .bits = 3, .clip = 6 };
    int64_t in[] = { 3, -3, 0, 30 };
    double out[4];

    quantize_back(&q, out, in, 4, 77, 4);
    CHECK(out[0] == 1.5 && out[1] == -1.5 && out[2] == 0 && out[3] == 15);
    /* steps of 1: three clients' zeros are three times 1.5 */
    q = (struct header_quant){ .levels = 4, .clip = 1.5 };
    quantize_back(&q, out, (const int64_t[]){ 0, 4, 5, 9 }, 4, 3, 1);
    CHECK(out[0] == -4.5 && out[1] == -0.5 && out[2] == 0.5 && out[3] == 4.5);
    q.levels = 3;
    q.clip = 1;
    quantize_back(&q, out, (const int64_t[]){ 0, 3, 4, 6 }, 4, 3, 1);
    CHECK(out[0] == -3 && out[1] == 0 && out[2] == 1 && out[3] == 3);
}

/* The ends, the middle and the ties of levels, the largest numbers of levels, and the way back. */
static void has_levels(void)
{
    static const uint64_t all[] = { 2, 3, 4, 5, 256, LIMIT_LEVELS / 8 + 2, LIMIT_LEVELS };
    static const double clips[] = { 1, 0.1, 1e300, 1e-280 };

    for (size_t l = 0; l < sizeof all / sizeof *all; l++)
        for (size_t c = 0; c < sizeof clips / sizeof *clips; c++) {
            struct header_quant q = { .levels = all[l], .clip = clips[c] };
            int64_t lo, hi, sums[3];
            double back[3];

            quantize_range(&q, &lo, &hi);
            CHECK(lo == 0 && hi == (int64_t)all[l] - 1);
            CHECK(one(&q, q.clip, NULL) == hi && one(&q, -q.clip, NULL) == 0);
            /* a tie for an even number of levels, rounded to the even one */
            CHECK(one(&q, 0, NULL) == (hi % 2 == 0 ? hi / 2 : hi / 2 + hi / 2 % 2));
            CHECK(one(&q, -0.0, NULL) == one(&q, 0, NULL));
            sums[0] = 0;
            sums[1] = 7 * hi;
            sums[2] = 7 * hi - (hi + 1) / 2;
            quantize_back(&q, back, sums, 3, 7, 7);
            CHECK(fabs(back[0] / q.clip + 1) < 1e-15 && fabs(back[1] / q.clip - 1) < 1e-15);
            CHECK(back[2] < back[1] && back[2] > back[0]);
        }
    CHECK(quantize_step(&(struct header_quant){ .levels = 5, .clip = 2 }) == 1);
    CHECK(quantize_step(&(struct header_quant){ .levels = 2, .clip = 2 }) == 4);
}

static void has_signs(void)
{
    static const double in[] = { 0, -0.0, 5e-324, -5e-324, 1e308, -1e308, 1, -1 };
    static const int64_t want[] = { 1, 1, 1, 0, 1, 0, 1, 0 };
    struct header_quant q = { .levels = 2, .clip = 0.5, .rounding = HEADER_SIGN };
    uint64_t n_clipped = 0;
    struct hagg_err err = { 0 };
    int64_t out[8];

    CHECK(quantize_values(&q, out, in, 8, 0, NULL, NULL, &err) == 0);
    CHECK(memcmp(out, want, sizeof want) == 0);
    CHECK(quantize_values(&q, out, in, 8, 0, NULL, &n_clipped, &err) == 0 && n_clipped == 0);
    CHECK(quantize_values(&q, out, (const double[]){ NAN }, 1, 3, NULL, NULL, &err) == -1);
    CHECK_STR(err.text, "element 3 is not a number");
}

/* For 16 clients: half a step or a step each, sqrt(16) / 2 steps; doubles add less than 1e-12. */
static void bounds_errors(void)
{
    static const struct {
        struct header_quant quant;
        double worst, deviation, bias;
    } known[] = {
        { { .bits = 3, .clip = 3 }, 8, 0, 8 },
        { { .bits = 3, .clip = 3, .rounding = HEADER_STOCHASTIC }, 16, 2, 0 },
        { { .levels = 5, .clip = 4 }, 16, 0, 16 },
        { { .levels = 5, .clip = 4, .rounding = HEADER_STOCHASTIC }, 32, 4, 0 },
        { { .levels = 2, .clip = 4, .rounding = HEADER_SIGN }, 64, 0, 64 },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct quantize_error e;

        quantize_error(&known[i].quant, 16, &e);
        CHECK(e.worst >= known[i].worst && e.worst < known[i].worst + 1e-12);
        CHECK(e.bias >= known[i].bias && e.bias < known[i].bias + 1e-12);
        CHECK(e.deviation == known[i].deviation);
    }
}

int main(void)
{
    has_levels();
    has_signs();
    bounds_errors();
    breaks_ties_to_even();
    knows_the_most_bits();
    reaches_both_ends();
    agrees_with_fractions();
    does_not_depend_on_company();
    rounds_by_chance();
    takes_known_coins();
    names_the_element();
    clips_and_counts();
    keeps_its_promise();
    keeps_large_integers();
    bounds_errors_of_doubles();
    divides();
    return check_end();
}
