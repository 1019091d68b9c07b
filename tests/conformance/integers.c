/* from_int and to_int: they are inverse, their range is exact, and they preserve sums. */
#include "checks.h"

#include <stdlib.h>

#include "guarded.h"
#include "report.h"
#include "subject.h"

#define TRIES 70000

/* Returns an integer in the range: all of them in turn if there are few. */
static int64_t pick(const struct subject *s, struct prng *g, uint64_t i)
{
    uint64_t order = s->info.order, step;

    if (order <= TRIES)
        step = i % order;
    else
        step = i < 100 ? i : i < 200 ? order - 1 - (i - 100) : prng_below(g, order);
    return (int64_t)((uint64_t)s->info.int_min + step);
}

static void check_round_trip(struct subject *s)
{
    struct prng g = { .state = 19 };

    for (uint64_t i = 0; i < TRIES && !report_found(); i++) {
        int64_t in = pick(s, &g, i), back = in ^ 1;
        unsigned char x[8] = { 0 };

        subject_set(s, x, 0, subject_from_int(s, in));
        s->field->to_int(s->ctx, &back, x, 1);
        if (subject_get(s, x, 0) >= s->info.order)
            report_wrong("from_int(%lld) is not canonical", (long long)in);
        else if (back != in)
            report_wrong("from_int and to_int make %lld of %lld", (long long)back, (long long)in);
    }
}

static void check_all_elements(struct subject *s)
{
    struct prng g = { .state = 20 };
    uint64_t order = s->info.order;

    for (uint64_t i = 0; i < TRIES && !report_found(); i++) {
        uint64_t element = order <= TRIES ? i % order
                           : i < 100      ? i
                           : i < 200      ? order - 1 - (i - 100)
                                          : prng_below(&g, order);
        unsigned char x[8] = { 0 };
        int64_t out = 0;

        subject_set(s, x, 0, element);
        s->field->to_int(s->ctx, &out, x, 1);
        if (out < s->info.int_min || out > s->info.int_max)
            report_wrong("to_int makes %lld of element %llu, outside its range", (long long)out,
                         (unsigned long long)element);
        else if (subject_from_int(s, out) != element)
            report_wrong("to_int and from_int do not give element %llu back",
                         (unsigned long long)element);
    }
}

static void check_vectors(struct subject *s)
{
    enum { N = 67 };
    struct prng g = { .state = 21 };
    int64_t in[N], back[N + 1];
    struct guarded out = { 0 };

    for (size_t n = 0; n <= N && !report_found(); n++)
        for (size_t shift = 0; shift < 16 && !report_found(); shift++) {
            guarded_place(&out, n * s->info.elem_size, shift);
            for (size_t i = 0; i < n; i++)
                in[i] = pick(s, &g, prng_next(&g) % 1000);
            if (s->field->from_int(s->ctx, out.data, in, n) != n)
                report_wrong("from_int stops among %zu integers of its range", n);
            for (size_t i = 0; i < n; i++)
                if (subject_get(s, out.data, i) != subject_from_int(s, in[i]))
                    report_wrong("from_int of %zu: element %zu is not what it is alone", n, i);
            if (!guarded_intact(&out))
                report_wrong("from_int of %zu writes outside them", n);
            back[n] = 1234;
            s->field->to_int(s->ctx, back, out.data, n);
            for (size_t i = 0; i < n; i++)
                if (back[i] != in[i])
                    report_wrong("to_int of %zu: integer %zu is wrong", n, i);
            if (back[n] != 1234)
                report_wrong("to_int of %zu writes beyond them", n);
        }
    guarded_free(&out);
}

/* Integers just outside the range, at every index; integers before them are still converted. */
static void check_refusals(struct subject *s)
{
    enum { N = 68 };
    int64_t wrong[4], in[N];
    size_t n_wrong = 0;
    unsigned char *out = subject_vector(s, N);

    if (s->info.int_max < INT64_MAX) {
        wrong[n_wrong++] = s->info.int_max + 1;
        wrong[n_wrong++] = INT64_MAX;
    }
    if (s->info.int_min > INT64_MIN) {
        wrong[n_wrong++] = s->info.int_min - 1;
        wrong[n_wrong++] = INT64_MIN;
    }
    for (size_t w = 0; w < n_wrong; w++)
        for (size_t index = 0; index < N && !report_found(); index++) {
            size_t stopped;

            for (size_t i = 0; i < N; i++)
                in[i] = i % 2 ? s->info.int_max : s->info.int_min;
            in[index] = wrong[w];
            stopped = s->field->from_int(s->ctx, out, in, N);
            if (stopped != index)
                report_wrong("from_int of %lld at index %zu, outside %lld .. %lld, returns %zu",
                             (long long)wrong[w], index, (long long)s->info.int_min,
                             (long long)s->info.int_max, stopped);
            for (size_t i = 0; i < index && i < stopped; i++)
                if (subject_get(s, out, i) != subject_from_int(s, in[i]))
                    report_wrong("from_int stops at %zu but left out element %zu", index, i);
        }
    free(out);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* 0 becomes zero, and the first integers can be used as evaluation points. */
static void check_points(struct subject *s)
{
    enum { MOST = 1000 };
    uint64_t points[MOST], n = MOST;

    if (subject_from_int(s, 0) != 0)
        report_wrong("from_int(0) is not the zero element");
    if (n > s->info.order - 1)
        n = s->info.order - 1;
    if (n > (uint64_t)s->info.int_max)
        n = (uint64_t)s->info.int_max;
    for (uint64_t i = 0; i < n; i++)
        points[i] = subject_from_int(s, (int64_t)i + 1);
    qsort(points, n, sizeof *points, compare_words);
    for (uint64_t i = 0; i < n && !report_found(); i++)
        if (points[i] == 0 || (i > 0 && points[i] == points[i - 1]))
            report_wrong("the integers 1 .. %llu are not distinct non-zero elements",
                         (unsigned long long)n);
}

/* In a field of prime order, element arithmetic is integer arithmetic as long as it fits. */
static void check_arithmetic(struct subject *s)
{
    struct prng g = { .state = 22 };

    for (uint64_t i = 0; i < 20000 && !report_found(); i++) {
        int64_t a = pick(s, &g, prng_next(&g) % 1000), b = pick(s, &g, prng_next(&g) % 1000);
        __int128 sum = (__int128)a + b, difference = (__int128)a - b, product;
        uint64_t x = subject_from_int(s, a), y = subject_from_int(s, b);

        if (sum >= s->info.int_min && sum <= s->info.int_max &&
            subject_add(s, x, y) != subject_from_int(s, (int64_t)sum))
            report_wrong("%lld + %lld is not their sum", (long long)a, (long long)b);
        if (difference >= s->info.int_min && difference <= s->info.int_max &&
            subject_sub(s, x, y) != subject_from_int(s, (int64_t)difference))
            report_wrong("%lld - %lld is not their difference", (long long)a, (long long)b);
        a %= 1 + (int64_t)prng_below(&g, 3000);
        product = (__int128)a * b;
        if (product >= s->info.int_min && product <= s->info.int_max &&
            subject_mul(s, subject_from_int(s, a), y) != subject_from_int(s, (int64_t)product))
            report_wrong("%lld * %lld is not their product", (long long)a, (long long)b);
    }
}

void integers_run(struct subject *s)
{
    report_check("from_int and back", check_round_trip, s);
    report_check("to_int and back", check_all_elements, s);
    report_check("integer vectors", check_vectors, s);
    report_check("integers out of range", check_refusals, s);
    report_check("points", check_points, s);
    if (s->info.order == s->info.characteristic)
        report_check("integer arithmetic", check_arithmetic, s);
}
