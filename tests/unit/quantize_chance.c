/* The probabilities of stochastic rounding, exactly, and its statistics. */
#include "vector/quantize_chance.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "feed.h"
#include "reference.h"
#include "vector/quantize.h"

static uint64_t state = 23;

enum answer { DOWN, UP, MORE };

/* What a value becomes, with these random words only; MORE if they do not decide. */
struct question {
    struct header_quant quant;
    double value;
    int64_t below; /* the next lower integer */
};

static enum answer ask(const struct question *q, const uint32_t *words, size_t n)
{
    unsigned char bytes[12];
    struct hagg_err err = { 0 };
    struct random *random;
    int64_t got = 0;
    int status;

    for (size_t i = 0; i < 4 * n; i++)
        bytes[i] = (unsigned char)(words[i / 4] >> (i % 4 * 8));
    random = random_open(feed_file(bytes, 4 * n), &err);
    status = quantize_values(&q->quant, &got, &q->value, 1, 0, random, NULL, &err);
    random_free(random);
    if (status) {
        CHECK(err.status == HAGG_E_SYSTEM);
        return MORE;
    }
    CHECK(got == q->below || got == q->below + 1);
    return got == q->below ? DOWN : UP;
}

/* The same for a rounding that draws one word, and rounds up if it does not exceed the fraction. */
static enum answer ask_biased(const struct question *q, const uint32_t *words, size_t n)
{
    double half = (double)(q->quant.levels - 1) / 2, scaled = (q->value + 1) * half;

    (void)n;
    return (double)words[0] <= (scaled - floor(scaled)) * 0x1p32 ? UP : DOWN;
}

/* Returns the probability of UP in units of 2^-64. All first words are examined: below one word all
 * are UP, above it all are DOWN, as samples confirm, and if it is MORE, so are the second words. */
static uint64_t probability(const struct question *q,
                            enum answer (*rounding)(const struct question *, const uint32_t *,
                                                    size_t))
{
    uint32_t words[2] = { 0 };
    uint64_t sum = 0;

    for (size_t n = 1; n <= 2; n++) {
        uint64_t low = 0, high = UINT64_C(1) << 32; /* UP below low; not from high on */

        while (low < high) {
            uint64_t middle = (low + high) / 2;

            words[n - 1] = (uint32_t)middle;
            if (rounding(q, words, n) == UP)
                low = middle + 1;
            else
                high = middle;
        }
        sum += low << (n == 1 ? 32 : 0);
        for (int i = 0; i < 40; i++) {
            words[n - 1] = (uint32_t)reference_next(&state);
            if (words[n - 1] != low)
                CHECK(rounding(q, words, n) == (words[n - 1] < low ? UP : DOWN));
        }
        words[n - 1] = (uint32_t)low;
        if (low >> 32 || rounding(q, words, n) != MORE)
            break;
    }
    return sum;
}

/* The value is at a fraction of m * 2^-50 above a level, which is exact in doubles. */
static struct question question_of(uint64_t levels, int64_t below, uint64_t m)
{
    double scaled = (double)below + ldexp((double)m, -50), half = (double)(levels - 1) / 2;

    return (struct question){
        .quant = { .levels = levels, .clip = 1, .rounding = HEADER_STOCHASTIC },
        .value = scaled / half - 1,
        .below = below,
    };
}

static void has_exact_probabilities(void)
{
    static const uint64_t levels[] = { 2, 3, 5, 9 }; /* half of the steps is a power of two */
    static const uint64_t edges[] = {
        0, 1, UINT64_C(1) << 18, (UINT64_C(1) << 18) + 1, UINT64_C(1) << 49, (UINT64_C(1) << 50) - 1
    };

    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
        for (int64_t below = 0; below + 1 < (int64_t)levels[l]; below++)
            for (size_t i = 0; i < 10; i++) {
                uint64_t m =
                    i < sizeof edges / sizeof *edges ? edges[i] : reference_next(&state) >> 14;
                struct question q = question_of(levels[l], below, m);
                double half = (double)(levels[l] - 1) / 2;

                /* the scaled value is what it should be */
                CHECK((q.value + 1) * half - (double)below == ldexp((double)m, -50));
                CHECK(probability(&q, ask) == m << 14);
                /* the control */
                CHECK(probability(&q, ask_biased) != m << 14);
            }
}

/* With bits, integers below zero are rounded by the same rule. */
static void rounds_negatives(void)
{
    for (int64_t below = -7; below < 7; below++) {
        uint64_t m = reference_next(&state) >> 16;
        struct question q = {
            .quant = { .bits = 4, .clip = 7, .rounding = HEADER_STOCHASTIC },
            .below = below,
        };
        double scaled;

        q.value = (double)below + ldexp((double)m, -48);
        scaled = q.value / 7 * 7; /* may differ in the last place */
        m = (uint64_t)ldexp(scaled - (double)below, 63);
        CHECK(probability(&q, ask) == m << 1);
    }
}

/* 2^-70 is decided by the third word: by hand, it is 2^26 in units of its last bit. */
static void draws_as_many_words_as_it_takes(void)
{
    struct question q = {
        .quant = { .bits = 2, .clip = 1, .rounding = HEADER_STOCHASTIC },
        .value = 0x1p-70,
    };
    uint32_t words[3] = { 0, 0, (1u << 26) - 1 };

    CHECK(ask(&q, words, 1) == MORE && ask(&q, words, 2) == MORE && ask(&q, words, 3) == UP);
    words[2]++;
    CHECK(ask(&q, words, 3) == DOWN);
    words[1] = 1;
    CHECK(ask(&q, words, 2) == DOWN);
    q.value = 0x1p-64;
    words[1] = 0;
    CHECK(ask(&q, words, 2) == UP);
}

/* Counts values that are rounded up. bias is added to the fraction: 0 except for the control. */
static double deviations(double fraction, double bias, const unsigned char *seed)
{
    enum { N = 200000 };
    static double in[N];
    static int64_t out[N];
    struct header_quant q = { .levels = 4, .clip = 1.5, .rounding = HEADER_STOCHASTIC };
    struct hagg_err err = { 0 };
    struct random *random = random_seeded(seed, &err);
    double n_up = 0;

    for (size_t i = 0; i < N; i++)
        in[i] = -0.5 + fraction + bias;
    CHECK(quantize_values(&q, out, in, N, 0, random, NULL, &err) == 0);
    for (size_t i = 0; i < N; i++)
        n_up += (double)(out[i] - 1);
    random_free(random);
    return fabs(n_up - N * fraction) / sqrt(N * fraction * (1 - fraction));
}

static void has_the_right_mean(void)
{
    static const double fractions[] = { 0.001, 0.1, 0.3, 0.5, 0.77, 0.999 };
    unsigned char seed[RANDOM_SEED_BYTES] = { 1 };

    for (size_t i = 0; i < sizeof fractions / sizeof *fractions; i++) {
        seed[1] = (unsigned char)i;
        CHECK(deviations(fractions[i], 0, seed) < 4.5);
        CHECK(deviations(fractions[i], fractions[i] > 0.9 ? -0.01 : 0.01, seed) > 4.5);
    }
}

/* Rounding one value many times takes four bytes each, and the next value takes the next ones. */
static void takes_words_in_order(void)
{
    enum { N = 1500 };
    static unsigned char bytes[4 * N];
    static double in[N];
    static int64_t out[N];
    struct header_quant q = { .levels = 3, .clip = 1, .rounding = HEADER_STOCHASTIC };
    struct hagg_err err = { 0 };
    struct random *random;
    size_t wrong = 0;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)reference_next(&state);
    for (size_t i = 0; i < N; i++)
        in[i] = -0.5;
    random = random_open(feed_file(bytes, sizeof bytes), &err);
    CHECK(quantize_values(&q, out, in, N, 0, random, NULL, &err) == 0);
    for (size_t i = 0; i < N; i++)
        wrong += out[i] != (bytes[4 * i + 3] < 128);
    CHECK(wrong == 0);
    CHECK(quantize_values(&q, out, in, 1, 0, random, NULL, &err) == -1);
    random_free(random);
}

int main(void)
{
    has_exact_probabilities();
    rounds_negatives();
    draws_as_many_words_as_it_takes();
    has_the_right_mean();
    takes_words_in_order();
    return check_end();
}
