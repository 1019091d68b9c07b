/* check: which bytes are elements. An element is a number below the order, so the smallest number
 * that is not an element is the order itself. */
#include "checks.h"

#include <stdlib.h>

#include "guarded.h"
#include "report.h"
#include "subject.h"

#define MAX_N 5003

static bool expect(const struct subject *s, const unsigned char *a, size_t n, size_t index,
                   uint64_t word)
{
    size_t found = s->field->check(s->ctx, a, n);

    if (found == index)
        return true;
    if (index == n)
        return report_wrong("finds element %zu of %zu wrong, where all are canonical", found, n);
    return report_wrong(
        "says %zu, where %llu at index %zu of %zu is the first that is not canonical", found,
        (unsigned long long)word, index, n);
}

static void check_every_word(struct subject *s)
{
    unsigned char x[8] = { 0 };

    for (uint64_t word = 0; word <= subject_largest_word(s); word++) {
        subject_set(s, x, 0, word);
        if (s->field->check(s->ctx, x, 1) != (word < s->info.order)) {
            report_wrong("%s %llu, and there are %llu elements",
                         word < s->info.order ? "refuses" : "accepts", (unsigned long long)word,
                         (unsigned long long)s->info.order);
            return;
        }
    }
}

static void check_accepted(struct subject *s)
{
    struct prng g = { .state = 12 };
    struct guarded a = { 0 };

    for (size_t n = 0; n <= MAX_N && !report_found(); n = n < 67 ? n + 1 : n * 3)
        for (size_t shift = 0; shift < 16; shift++) {
            guarded_place(&a, n * s->info.elem_size, shift);
            subject_random(s, &g, a.data, n);
            if (!expect(s, a.data, n, n, 0))
                break;
        }
    guarded_free(&a);
}

size_t canonical_wrong_words(const struct subject *s, uint64_t *out)
{
    uint64_t order = s->info.order, largest = subject_largest_word(s);
    size_t n = 0;

    if (order - 1 == largest)
        return 0;
    out[n++] = order;
    out[n++] = largest;
    for (uint64_t bit = 1; bit != 0 && bit <= largest; bit <<= 1)
        if (bit >= order)
            out[n++] = bit;
    return n;
}

static void check_refused(struct subject *s)
{
    uint64_t words[CANONICAL_WRONG_WORDS];
    size_t n_words = canonical_wrong_words(s, words), elem_size = s->info.elem_size;
    struct prng g = { .state = 13 };
    struct guarded a = { 0 };

    for (size_t n = 1; n <= 68 && !report_found(); n++)
        for (size_t index = 0; index < n && !report_found(); index++)
            for (size_t w = 0; w < n_words; w++) {
                guarded_place(&a, n * elem_size, (n + index) % 16);
                subject_random(s, &g, a.data, n);
                subject_set(s, a.data, index, words[w]);
                if (!expect(s, a.data, n, index, words[w]))
                    break;
            }
    guarded_free(&a);
}

/* The content after the first wrong element must not matter. */
static void check_first_of_several(struct subject *s)
{
    uint64_t words[CANONICAL_WRONG_WORDS];
    size_t n_words = canonical_wrong_words(s, words);
    struct prng g = { .state = 14 };
    unsigned char *a = subject_vector(s, MAX_N);

    for (size_t round = 0; n_words > 0 && round < 500; round++) {
        size_t n = 1 + prng_below(&g, round < 400 ? 200 : MAX_N), first = prng_below(&g, n);

        subject_random(s, &g, a, n);
        for (size_t i = first; i < n; i += 1 + prng_below(&g, 40))
            subject_set(s, a, i, words[prng_below(&g, n_words)]);
        if (!expect(s, a, n, first, subject_get(s, a, first)))
            break;
    }
    free(a);
}

void canonical_run(struct subject *s)
{
    if (s->info.elem_size <= 2)
        report_check("check of every word", check_every_word, s);
    report_check("check of canonical vectors", check_accepted, s);
    report_check("check of single faults", check_refused, s);
    report_check("check of several faults", check_first_of_several, s);
}
