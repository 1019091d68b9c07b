/* sample: exactly uniform elements from uniform bytes, and the number of bytes used. */
#include "checks.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>

#include "guarded.h"
#include "number.h"
#include "report.h"
#include "subject.h"

#define REJECTED UINT64_MAX

/* Makes one try. Returns the element for word, or REJECTED. (UINT64_MAX is never an element,
 * because the order would have to be 2^64.) */
static uint64_t try_word(const struct subject *s, uint64_t word)
{
    unsigned char random[8], out[8] = { 0 };
    size_t used = 99, made;

    subject_set(s, random, 0, word);
    made = s->field->sample(s->ctx, out, 1, random, s->info.elem_size, &used);
    if (made > 1 || used != s->info.elem_size) {
        report_wrong("one try returns %zu and uses %zu of %u bytes", made, used, s->info.elem_size);
        return REJECTED;
    }
    if (made == 0)
        return REJECTED;
    if (subject_get(s, out, 0) >= s->info.order)
        report_wrong("gives %llu, which is not canonical",
                     (unsigned long long)subject_get(s, out, 0));
    return subject_get(s, out, 0);
}

static void check_canonical_words(struct subject *s)
{
    uint64_t order = s->info.order;
    struct prng g = { .state = 15 };

    for (uint64_t i = 0; i < 20000 && !report_found(); i++) {
        uint64_t word = i < 200                ? i % order
                        : i < 400              ? order - 1 - i % order
                        : order <= 20000 - 400 ? i % order
                                               : prng_below(&g, order);

        if (try_word(s, word) != word)
            report_wrong("the bytes of %llu do not give that element", (unsigned long long)word);
    }
}

/* Tries every word: each element must result from the same number of words. */
static void check_every_word(struct subject *s)
{
    uint64_t order = s->info.order, n_words = subject_largest_word(s) + 1;
    unsigned *hits = calloc(order, sizeof *hits);

    if (!hits)
        err(1, "counters");
    for (uint64_t word = 0; word < n_words && !report_found(); word++) {
        uint64_t element = try_word(s, word);

        if (element < order)
            hits[element]++;
    }
    for (uint64_t i = 1; i < order && !report_found(); i++)
        if (hits[i] != hits[0])
            report_wrong("not uniform: %u of the %llu words give %llu, but %u give 0", hits[i],
                         (unsigned long long)n_words, (unsigned long long)i, hits[0]);
    free(hits);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Returns how many words give element, among those that the usual reductions map to it: words that
 * differ from it by a multiple of the order, of a power of two, or both. */
static unsigned count_sources(const struct subject *s, uint64_t element)
{
    enum { N = 8 };
    unsigned __int128 n_words = (unsigned __int128)subject_largest_word(s) + 1;
    unsigned __int128 power = (unsigned __int128)1 << number_bits_below(s->info.order);
    unsigned __int128 n_orders = n_words / s->info.order, n_powers = n_words / power;
    uint64_t words[4 * N * N];
    size_t n = 0;
    unsigned count = 0;

    for (unsigned i = 0; i < 2 * N; i++)
        for (unsigned j = 0; j < 2 * N; j++) {
            /* The first N multiples and the last N; the last ones do not depend on element. */
            unsigned __int128 orders = i < N ? i : n_orders - (i - N);
            unsigned __int128 powers = j < N ? j : n_powers - (j - N);
            unsigned __int128 word = element + orders * s->info.order + powers * power;

            if (orders <= n_orders && powers <= n_powers && word < n_words)
                words[n++] = (uint64_t)word;
        }
    qsort(words, n, sizeof *words, compare_words);
    for (size_t i = 0; i < n; i++)
        if ((i == 0 || words[i] != words[i - 1]) && try_word(s, words[i]) == element)
            count++;
    return count;
}

/* A test of frequencies in a large field cannot detect a few elements that have one word too many,
 * as after `word % order`. This one does. */
static void check_word_edges(struct subject *s)
{
    struct prng g = { .state = 16 };
    uint64_t order = s->info.order;
    unsigned usual = count_sources(s, order / 2 + 1);

    for (uint64_t i = 0; i < 48 && !report_found(); i++) {
        uint64_t element = i < 16   ? i % order
                           : i < 32 ? order - 1 - i % order
                                    : prng_below(&g, order);
        unsigned count = count_sources(s, element);

        if (count != usual)
            report_wrong("not uniform: %u words give %llu where %u give %llu", count,
                         (unsigned long long)element, usual, (unsigned long long)(order / 2 + 1));
    }
}

/* Random words, a third of them near the edges where words are rejected. */
static void fill_stream(const struct subject *s, struct prng *g, unsigned char *out,
                        size_t len_bytes)
{
    size_t elem_size = s->info.elem_size;

    prng_bytes(g, out, len_bytes);
    for (size_t i = 0; i < len_bytes / elem_size; i++)
        switch (prng_next(g) % 6) {
        case 0:
            subject_set(s, out, i, s->info.order - 2 + prng_below(g, 5));
            break;
        case 1:
            subject_set(s, out, i, subject_largest_word(s) - prng_below(g, 3));
            break;
        }
}

/* Compares one call with single tries over the same bytes. */
static bool try_stream(const struct subject *s, struct prng *g, size_t n, size_t n_random,
                       bool in_place, size_t shift)
{
    size_t elem_size = s->info.elem_size, out_bytes = n * elem_size;
    size_t most = out_bytes > n_random ? out_bytes : n_random, used = 0, made, at = 0, count = 0;
    unsigned char *before = subject_vector(s, most / elem_size + 1);
    struct guarded random = { 0 }, out = { 0 };

    guarded_place(&random, in_place ? most : n_random, shift);
    guarded_place(&out, out_bytes, shift * 5 % 16);
    fill_stream(s, g, random.data, n_random);
    memcpy(before, random.data, n_random);

    made = s->field->sample(s->ctx, in_place ? random.data : out.data, n, random.data, n_random,
                            &used);
    while (count < n && n_random - at >= elem_size && !report_found()) {
        uint64_t element = try_word(s, hagg_load(before + at, 0, elem_size));

        at += elem_size;
        if (element == REJECTED)
            continue;
        if (count < made && subject_get(s, in_place ? random.data : out.data, count) != element)
            report_wrong("%zu elements from %zu bytes%s: element %zu is not what its word gives "
                         "alone",
                         n, n_random, in_place ? " in place" : "", count);
        count++;
    }
    if (made != count || used != at)
        report_wrong("%zu elements from %zu bytes%s: makes %zu and uses %zu, not %zu and %zu", n,
                     n_random, in_place ? " in place" : "", made, used, count, at);
    if (!guarded_intact(&random) || !guarded_intact(&out))
        report_wrong("%zu elements from %zu bytes: writes outside them", n, n_random);
    if (!in_place && memcmp(random.data, before, n_random) != 0)
        report_wrong("%zu elements from %zu bytes: changes its random bytes", n, n_random);
    guarded_free(&random);
    guarded_free(&out);
    free(before);
    return !report_found();
}

static void check_streams(const struct subject *s, bool in_place)
{
    size_t elem_size = s->info.elem_size;
    struct prng g = { .state = 17 };

    for (size_t n = 0; n <= 67; n++) {
        size_t lengths[] = { 0,
                             elem_size - 1,
                             n * elem_size / 2,
                             n * elem_size,
                             n * elem_size + elem_size - 1,
                             3 * n * elem_size + 1 };

        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            if (!try_stream(s, &g, n, lengths[i], in_place, n % 16))
                return;
    }
    for (size_t n = 100; n < 20000; n = n * 3 + 1)
        if (!try_stream(s, &g, n, n * elem_size + n, in_place, 0) ||
            !try_stream(s, &g, n, n * elem_size * 4, in_place, 1))
            return;
}

static void check_streams_apart(struct subject *s)
{
    check_streams(s, false);
}

static void check_streams_in_place(struct subject *s)
{
    check_streams(s, true);
}

/* Returns the fraction of elements in bucket b of n_buckets: by size, or by remainder. */
static double share_of_bucket(uint64_t order, unsigned n_buckets, unsigned b, bool by_size)
{
    if (!by_size)
        return (double)(order / n_buckets + (b < order % n_buckets)) / (double)order;
    /* elements e with b <= e * n_buckets / order < b + 1 */
    return (double)((((unsigned __int128)(b + 1) * order + n_buckets - 1) / n_buckets) -
                    (((unsigned __int128)b * order + n_buckets - 1) / n_buckets)) /
           (double)order;
}

static void check_chi_square(const char *what, uint64_t order, const unsigned *counts,
                             unsigned n_buckets, unsigned n_samples, bool by_size)
{
    double chi = 0, freedom = n_buckets - 1;

    for (unsigned b = 0; b < n_buckets; b++) {
        double wanted = n_samples * share_of_bucket(order, n_buckets, b, by_size);

        chi += (counts[b] - wanted) * (counts[b] - wanted) / wanted;
    }
    /* Eight standard deviations: above chance, and below the effect of a bucket that is 10 per cent
     * too full. */
    if (chi > freedom + 8 * sqrt(2 * freedom))
        report_wrong("not uniform: the chi-square statistic of %u elements by %s is %.0f with %.0f "
                     "degrees of freedom",
                     n_samples, what, chi, freedom);
}

static void check_frequencies(struct subject *s)
{
    enum { SAMPLES = 1 << 20, CHUNK = 4096, MAX_CHUNKS = 1 << 14, BUCKETS = 64 };
    uint64_t order = s->info.order;
    unsigned n_buckets = order < BUCKETS ? (unsigned)order : BUCKETS, n_samples = 0;
    unsigned by_size[BUCKETS] = { 0 }, by_remainder[BUCKETS] = { 0 };
    unsigned char random[CHUNK], *out = subject_vector(s, CHUNK);
    struct prng g = { .state = 18 };

    for (int i = 0; i < MAX_CHUNKS && n_samples < SAMPLES; i++) {
        size_t used, made;

        prng_bytes(&g, random, sizeof random);
        made = s->field->sample(s->ctx, out, CHUNK, random, sizeof random, &used);
        for (size_t j = 0; j < made; j++, n_samples++) {
            uint64_t e = subject_get(s, out, j);

            if (e >= order) {
                report_wrong("gives %llu, which is not canonical", (unsigned long long)e);
                free(out);
                return;
            }
            by_size[(unsigned __int128)e * n_buckets / order]++;
            by_remainder[e % n_buckets]++;
        }
    }
    free(out);
    if (n_samples < SAMPLES) {
        report_wrong("makes only %u elements from %d bytes", n_samples, MAX_CHUNKS * CHUNK);
        return;
    }
    check_chi_square("size", order, by_size, n_buckets, n_samples, true);
    check_chi_square("remainder", order, by_remainder, n_buckets, n_samples, false);
}

void sampling_run(struct subject *s)
{
    report_check("sample of canonical words", check_canonical_words, s);
    if (s->info.elem_size <= 2)
        report_check("sample of every word", check_every_word, s);
    else
        report_check("sample of words at the edges", check_word_edges, s);
    report_check("sample of streams", check_streams_apart, s);
    report_check("sample in place", check_streams_in_place, s);
    report_check("sample frequencies", check_frequencies, s);
}
