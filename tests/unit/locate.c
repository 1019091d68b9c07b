#include "decode/locate.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"

static const struct reference *ref;
static struct field *field;
static uint64_t state = 7;

enum { MAX = 8 };

/* Returns the value at x of a polynomial with k coefficients, lowest first. */
static uint64_t value_at(const uint64_t *coefficients, uint32_t k, uint64_t x)
{
    uint64_t value = 0;

    for (uint32_t j = k; j-- > 0;)
        value = reference_add(ref, reference_mul(ref, value, x), coefficients[j]);
    return value;
}

/* Returns the value at x of the polynomial through the points in the set, by Lagrange
 * interpolation. */
static uint64_t interpolate(const uint64_t *points, const uint64_t *values, uint32_t n,
                            unsigned set, uint64_t x)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t term = values[i];

        for (uint32_t j = 0; j < n && set >> i & 1; j++)
            if (j != i && set >> j & 1) {
                term = reference_mul(ref, term, reference_sub(ref, x, points[j]));
                term = reference_mul(ref, term,
                                     reference_inv(ref, reference_sub(ref, points[i], points[j])));
            }
        if (set >> i & 1)
            sum = reference_add(ref, sum, term);
    }
    return sum;
}

/* Of all polynomials through k of the values, finds the one that most values agree with, and
 * returns the set of values that disagree; -1 if there are always more than `most`. */
static int brute_force(const uint64_t *points, const uint64_t *values, uint32_t n, uint32_t k,
                       uint32_t most)
{
    for (unsigned set = 0; set < 1u << n; set++) {
        unsigned off = 0;

        if ((uint32_t)__builtin_popcount(set) != k)
            continue;
        for (uint32_t i = 0; i < n; i++)
            if (interpolate(points, values, n, set, points[i]) != values[i])
                off |= 1u << i;
        if ((uint32_t)__builtin_popcount(off) <= most)
            return (int)off;
    }
    return -1;
}

static int locate(const uint64_t *points, const uint64_t *values, uint32_t n, uint32_t k)
{
    size_t size = field_elem_size(field);
    unsigned char p[MAX * 8], v[MAX * 8];
    struct hagg_err err = { 0 };
    bool wrong[MAX] = { 0 };
    int found, set = 0;

    for (uint32_t i = 0; i < n; i++) {
        hagg_store(p, i, size, points[i]);
        hagg_store(v, i, size, values[i]);
    }
    found = locate_errors(field, p, v, n, k, wrong, &err);
    CHECK(found >= 0 && err.status == HAGG_OK);
    for (uint32_t i = 0; i < n; i++)
        set |= wrong[i] << i;
    return found > 0 ? set : -1;
}

/* Draws distinct points other than 0. */
static void draw_points(uint64_t *points, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t j = 0;

        points[i] = 1 + reference_next(&state) % (ref->order - 1);
        while (j < i && points[j] != points[i])
            j++;
        i -= j < i;
    }
}

/* All sets of wrong values. Up to half of the surplus they are found; if there are more, the result
 * is that of brute force. */
static void agrees_with_brute_force(uint32_t n, uint32_t k, int n_trials)
{
    uint64_t points[MAX], right[MAX], values[MAX], coefficients[MAX];
    uint32_t most = (n - k) / 2;
    size_t n_missed = 0, n_blamed = 0;

    for (int trial = 0; trial < n_trials; trial++) {
        draw_points(points, n);
        for (uint32_t j = 0; j < k; j++)
            coefficients[j] = reference_elem(ref, &state);
        for (uint32_t i = 0; i < n; i++)
            right[i] = value_at(coefficients, k, points[i]);
        for (unsigned errors = 0; errors < 1u << n; errors++) {
            int got;

            for (uint32_t i = 0; i < n; i++)
                values[i] = errors >> i & 1
                                ? reference_add(ref, right[i],
                                                1 + reference_next(&state) % (ref->order - 1))
                                : right[i];
            got = locate(points, values, n, k);
            if ((uint32_t)__builtin_popcount(errors) <= most)
                n_missed += got != (int)errors;
            else
                n_blamed += got != brute_force(points, values, n, k, most);
        }
    }
    CHECK(n_missed == 0);
    CHECK(n_blamed == 0);
}

static void fails_cleanly_without_memory(void)
{
    static const uint64_t points[] = { 1, 2, 3, 4, 5 }, values[] = { 2, 4, 6, 1, 10 };
    unsigned char p[5], v[5];

    for (uint32_t i = 0; i < 5; i++) {
        p[i] = (unsigned char)points[i];
        v[i] = (unsigned char)values[i];
    }
    for (unsigned long at = 0;; at++) {
        struct hagg_err err = { 0 };
        bool wrong[5];
        int status;

        alloc_refuse(at);
        status = locate_errors(field, p, v, 5, 2, wrong, &err);
        CHECK(status == (alloc_refused() ? -1 : 1));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        if (!alloc_refused())
            break;
        CHECK(at < 100);
    }
    alloc_watch();
}

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    static const struct reference fields[] = { { "prime:p=31", 31 }, { "gf256", 256 } };

    for (size_t i = 0; i < 2; i++) {
        struct hagg_err err = { 0 };

        ref = &fields[i];
        field = field_open(ref->spec, &err);
        if (!field) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        for (uint32_t n = 1; n <= (quick ? 4 : 6); n++)
            for (uint32_t k = 1; k <= n; k++)
                agrees_with_brute_force(n, k, 1);
        agrees_with_brute_force(5, 1, 2);
        agrees_with_brute_force(6, 2, 2);
        if (!quick) {
            agrees_with_brute_force(7, 3, 1);
            agrees_with_brute_force(8, 4, 1);
        }
        if (i == 0)
            fails_cleanly_without_memory();
        field_free(field);
    }
    return check_end();
}
