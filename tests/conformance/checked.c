/* add_checked, if a plugin has it: the results of add and check, in one call. */
#include "checks.h"

#include <stdlib.h>

#include "guarded.h"
#include "report.h"
#include "subject.h"

#define MAX_N 5003

/* The vectors of one call. */
struct sums {
    struct guarded out, a, b;
    unsigned char *a_before, *b_before;
};

static void sums_free(struct sums *v)
{
    guarded_free(&v->out);
    guarded_free(&v->a);
    guarded_free(&v->b);
    free(v->a_before);
    free(v->b_before);
}

static void place(const struct subject *s, struct sums *v, struct prng *g, size_t n, size_t shift)
{
    size_t len_bytes = n * s->info.elem_size;

    guarded_place(&v->out, len_bytes, shift);
    guarded_place(&v->a, len_bytes, shift * 3 % 17);
    guarded_place(&v->b, len_bytes, shift * 7 % 19);
    subject_random(s, g, v->a.data, n);
    subject_random(s, g, v->b.data, n);
}

/* Calls it, and checks everything except the sums. index is that of the first wrong element. */
static bool call(const struct subject *s, struct sums *v, size_t n, size_t index, bool in_place)
{
    unsigned char *out = in_place ? v->a.data : v->out.data;
    const char *as = in_place ? " with out == a" : "";
    size_t len_bytes = n * s->info.elem_size, found;

    memcpy(v->a_before, v->a.data, len_bytes);
    memcpy(v->b_before, v->b.data, len_bytes);
    found = s->field->add_checked(s->ctx, out, v->a.data, v->b.data, n);
    if (found != index)
        return report_wrong("add_checked%s says %zu, where %zu of %zu is the first that is not "
                            "canonical",
                            as, found, index, n);
    if (!in_place && memcmp(v->a.data, v->a_before, len_bytes) != 0)
        return report_wrong("add_checked of %zu elements changes a", n);
    if (memcmp(v->b.data, v->b_before, len_bytes) != 0)
        return report_wrong("add_checked%s of %zu elements changes b", as, n);
    if (!guarded_intact(&v->out) || !guarded_intact(&v->a) || !guarded_intact(&v->b))
        return report_wrong("add_checked%s of %zu elements writes outside them", as, n);
    return true;
}

static bool compare(const struct subject *s, const struct sums *v, size_t n, bool in_place)
{
    const unsigned char *out = in_place ? v->a.data : v->out.data;

    for (size_t i = 0; i < n; i++)
        if (subject_get(s, out, i) !=
            subject_add(s, subject_get(s, v->a_before, i), subject_get(s, v->b_before, i)))
            return report_wrong("add_checked%s of %zu elements: element %zu is not what add gives",
                                in_place ? " with out == a" : "", n, i);
    return true;
}

static void check_sums(struct subject *s)
{
    struct prng g = { .state = 21 };
    struct sums v = { .a_before = subject_vector(s, MAX_N), .b_before = subject_vector(s, MAX_N) };

    for (size_t n = 0; n <= MAX_N && !report_found(); n = n < 67 ? n + 1 : n * 3)
        for (size_t shift = 0; shift < 32 && !report_found(); shift++) {
            place(s, &v, &g, n, shift % 16);
            if (call(s, &v, n, n, shift >= 16))
                compare(s, &v, n, shift >= 16);
        }
    sums_free(&v);
}

static void check_faults(struct subject *s)
{
    uint64_t words[CANONICAL_WRONG_WORDS];
    size_t n_words = canonical_wrong_words(s, words);
    struct prng g = { .state = 22 };
    struct sums v = { .a_before = subject_vector(s, MAX_N), .b_before = subject_vector(s, MAX_N) };

    for (size_t n = 1; n <= 68 && !report_found(); n++)
        for (size_t index = 0; index < n && !report_found(); index++)
            for (size_t w = 0; w < n_words && !report_found(); w++) {
                place(s, &v, &g, n, (n + index) % 16);
                subject_set(s, v.b.data, index, words[w]);
                call(s, &v, n, index, w % 2);
            }
    for (size_t round = 0; n_words > 0 && round < 100 && !report_found(); round++) {
        size_t n = 1 + prng_below(&g, MAX_N), first = prng_below(&g, n);

        place(s, &v, &g, n, round % 16);
        for (size_t i = first; i < n; i += 1 + prng_below(&g, 40))
            subject_set(s, v.b.data, i, words[prng_below(&g, n_words)]);
        call(s, &v, n, first, round % 2);
    }
    sums_free(&v);
}

void checked_run(struct subject *s)
{
    if (!subject_has_add_checked(s))
        return;
    report_check("add_checked", check_sums, s);
    report_check("add_checked of faults", check_faults, s);
}
