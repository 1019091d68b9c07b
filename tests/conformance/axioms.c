/* The laws of a field: for all elements if there are at most 256, otherwise for selected and random
 * ones. */
#include "checks.h"

#include <err.h>
#include <stdlib.h>

#include "report.h"
#include "subject.h"

#define SMALL        256
#define RANDOM_TRIES 20000
#define SECOND_TRIES 2000
#define MAX_EXTREMES 24
#define MAX_INVERSES 65536

/* Sums and products: from tables for a small field, computed for a large one. */
struct ring {
    const struct subject *s;
    uint8_t *sums, *products; /* order x order, or NULL */
};

static uint64_t sum(const struct ring *r, uint64_t a, uint64_t b)
{
    return r->sums ? r->sums[a * r->s->info.order + b] : subject_add(r->s, a, b);
}

static uint64_t product(const struct ring *r, uint64_t a, uint64_t b)
{
    return r->products ? r->products[a * r->s->info.order + b] : subject_mul(r->s, a, b);
}

typedef bool law(const struct ring *r, uint64_t a, uint64_t b, uint64_t c);

#define WRONG(text)                                                                                \
    report_wrong(text " for a = %llu, b = %llu, c = %llu", (unsigned long long)a,                  \
                 (unsigned long long)b, (unsigned long long)c)

static bool addition(const struct ring *r, uint64_t a, uint64_t b, uint64_t c)
{
    if (sum(r, a, b) != sum(r, b, a))
        return WRONG("a + b is not b + a");
    if (sum(r, sum(r, a, b), c) != sum(r, a, sum(r, b, c)))
        return WRONG("(a + b) + c is not a + (b + c)");
    return sum(r, a, 0) == a || WRONG("a + 0 is not a");
}

static bool subtraction(const struct ring *r, uint64_t a, uint64_t b, uint64_t c)
{
    if (subject_sub(r->s, sum(r, a, b), b) != a)
        return WRONG("(a + b) - b is not a");
    if (subject_sub(r->s, a, a) != 0)
        return WRONG("a - a is not 0");
    return sum(r, subject_sub(r->s, 0, a), a) == 0 || WRONG("(0 - a) + a is not 0");
}

static bool multiplication(const struct ring *r, uint64_t a, uint64_t b, uint64_t c)
{
    if (product(r, a, b) != product(r, b, a))
        return WRONG("a * b is not b * a");
    if (product(r, product(r, a, b), c) != product(r, a, product(r, b, c)))
        return WRONG("(a * b) * c is not a * (b * c)");
    return product(r, a, 0) == 0 || WRONG("a * 0 is not 0");
}

static bool distribution(const struct ring *r, uint64_t a, uint64_t b, uint64_t c)
{
    return product(r, a, sum(r, b, c)) == sum(r, product(r, a, b), product(r, a, c)) ||
           WRONG("a * (b + c) is not a * b + a * c");
}

static size_t extremes(const struct subject *s, uint64_t *out)
{
    uint64_t order = s->info.order;
    size_t n = 0;

    for (uint64_t i = 0; i < 4; i++) {
        out[n++] = i % order;
        out[n++] = order - 1 - i % order;
        out[n++] = (order / 2 + i) % order;
    }
    for (unsigned bits = 8; bits < 64; bits += 8)
        if (((uint64_t)1 << bits) < order && n + 2 <= MAX_EXTREMES) {
            out[n++] = ((uint64_t)1 << bits) - 1;
            out[n++] = (uint64_t)1 << bits;
        }
    return n;
}

/* A law of two elements is not repeated for every third element. */
static void hold(const struct ring *r, law *l, unsigned n_elements)
{
    uint64_t order = r->s->info.order, extreme[MAX_EXTREMES];
    uint64_t n_third = n_elements == 3 ? order : 1;
    struct prng g = { .state = 2 };
    size_t n;

    if (order <= SMALL) {
        for (uint64_t a = 0; a < order; a++)
            for (uint64_t b = 0; b < order; b++)
                for (uint64_t c = 0; c < n_third; c++)
                    if (!l(r, a, b, c) || report_found())
                        return;
        return;
    }
    n = extremes(r->s, extreme);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++)
                if (!l(r, extreme[i], extreme[j], extreme[k]) || report_found())
                    return;
    for (size_t i = 0; i < RANDOM_TRIES; i++) {
        uint64_t a = prng_below(&g, order), b = prng_below(&g, order);

        if (!l(r, a, b, prng_below(&g, order)) || report_found())
            return;
    }
}

static bool make_tables(struct ring *r)
{
    const struct subject *s = r->s;
    size_t order = s->info.order;
    unsigned char *all = subject_vector(s, order), *a = subject_vector(s, order);
    unsigned char *row = subject_vector(s, order);

    r->sums = calloc(order, order);
    r->products = calloc(order, order);
    if (!r->sums || !r->products)
        err(1, "tables");
    for (size_t i = 0; i < order; i++)
        subject_set(s, all, i, i);
    for (size_t i = 0; i < order && !report_found(); i++) {
        for (size_t j = 0; j < order; j++)
            subject_set(s, a, j, i);
        s->field->add(s->ctx, row, a, all, order);
        for (size_t j = 0; j < order; j++) {
            if (subject_get(s, row, j) >= order)
                report_wrong("%zu + %zu is not canonical", i, j);
            r->sums[i * order + j] = (uint8_t)subject_get(s, row, j);
        }
        memset(row, 0, order * s->info.elem_size);
        s->field->scale_add(s->ctx, row, a, all, order);
        for (size_t j = 0; j < order; j++) {
            if (subject_get(s, row, j) >= order)
                report_wrong("%zu * %zu is not canonical", i, j);
            r->products[i * order + j] = (uint8_t)subject_get(s, row, j);
        }
    }
    free(all);
    free(a);
    free(row);
    return !report_found();
}

static void check_law(const struct subject *s, law *l, unsigned n_elements)
{
    struct ring r = { .s = s };

    if (s->info.order > SMALL || make_tables(&r))
        hold(&r, l, n_elements);
    free(r.sums);
    free(r.products);
}

static void check_addition(struct subject *s)
{
    check_law(s, addition, 3);
}

static void check_subtraction(struct subject *s)
{
    check_law(s, subtraction, 2);
}

static void check_multiplication(struct subject *s)
{
    check_law(s, multiplication, 3);
}

static void check_distribution(struct subject *s)
{
    check_law(s, distribution, 3);
}

static void check_one(struct subject *s)
{
    uint64_t one = subject_from_int(s, 1), order = s->info.order;
    struct prng g = { .state = 3 };

    if (one == 0)
        report_wrong("from_int makes 0 of 1");
    for (uint64_t i = 0; i < SECOND_TRIES; i++) {
        uint64_t a = order <= SECOND_TRIES ? i % order : prng_below(&g, order);

        if (subject_mul(s, one, a) != a || subject_mul(s, a, one) != a) {
            report_wrong("1 * %llu is not %llu", (unsigned long long)a, (unsigned long long)a);
            return;
        }
    }
}

static bool check_inverse_of(const struct subject *s, uint64_t a, uint64_t one)
{
    unsigned char x[8] = { 0 }, out[8];

    subject_set(s, x, 0, a);
    if (s->field->inv(s->ctx, out, x) != 0)
        return report_wrong("inv refuses %llu", (unsigned long long)a);
    if (subject_get(s, out, 0) >= s->info.order || subject_mul(s, subject_get(s, out, 0), a) != one)
        return report_wrong("%llu times its inverse is not 1", (unsigned long long)a);
    if (s->field->inv(s->ctx, x, x) != 0 || memcmp(x, out, s->info.elem_size) != 0)
        return report_wrong("inv in place differs for %llu", (unsigned long long)a);
    return true;
}

static void check_inverses(struct subject *s)
{
    uint64_t one = subject_from_int(s, 1), order = s->info.order, extreme[MAX_EXTREMES];
    struct prng g = { .state = 4 };
    unsigned char zero[8] = { 0 }, out[8], before[8];
    size_t n;

    memset(out, 0x5a, sizeof out);
    memcpy(before, out, sizeof out);
    if (s->field->inv(s->ctx, out, zero) != -1)
        report_wrong("inv does not refuse 0");
    else if (memcmp(out, before, sizeof out) != 0)
        report_wrong("inv writes something for 0");
    if (order <= MAX_INVERSES) {
        for (uint64_t a = 1; a < order; a++)
            if (!check_inverse_of(s, a, one))
                return;
        return;
    }
    n = extremes(s, extreme);
    for (size_t i = 0; i < n; i++)
        if (extreme[i] != 0 && !check_inverse_of(s, extreme[i], one))
            return;
    for (size_t i = 0; i < SECOND_TRIES; i++)
        if (!check_inverse_of(s, 1 + prng_below(&g, order - 1), one))
            return;
}

/* a^order = a is true for every element of a field of that order, and hardly anywhere else. */
static void check_order(struct subject *s)
{
    uint64_t order = s->info.order;
    struct prng g = { .state = 5 };

    for (int i = 0; i < 200; i++) {
        uint64_t a = prng_below(&g, order), square = a, power = subject_from_int(s, 1);

        for (uint64_t exponent = order; exponent != 0; exponent >>= 1) {
            if (exponent & 1)
                power = subject_mul(s, power, square);
            square = subject_mul(s, square, square);
        }
        if (power != a) {
            report_wrong("%llu to the power of the order is not itself", (unsigned long long)a);
            return;
        }
    }
}

/* The characteristic is prime, which is checked elsewhere. So it is the additive order of one if
 * the sum of that number of ones is zero. */
static void check_characteristic(struct subject *s)
{
    uint64_t total = 0, doubled = subject_from_int(s, 1);

    for (uint64_t count = s->info.characteristic; count != 0; count >>= 1) {
        if (count & 1)
            total = subject_add(s, total, doubled);
        doubled = subject_add(s, doubled, doubled);
    }
    if (total != 0)
        report_wrong("%llu ones do not make 0", (unsigned long long)s->info.characteristic);
}

void axioms_run(struct subject *s)
{
    report_check("addition", check_addition, s);
    report_check("subtraction", check_subtraction, s);
    report_check("multiplication", check_multiplication, s);
    report_check("distribution", check_distribution, s);
    report_check("one", check_one, s);
    report_check("inverses", check_inverses, s);
    report_check("order", check_order, s);
    report_check("characteristic", check_characteristic, s);
}
