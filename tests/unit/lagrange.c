/* Values of polynomials, from their values at other points. */
#include "sharing/lagrange.h"

#include "alloc.h"
#include "check.h"
#include "reference.h"

enum { MOST = 9 };

static const struct reference *ref;
static struct field *field;
static uint64_t state = 31;

static uint64_t value_at(const uint64_t *coefficients, size_t n, uint64_t x)
{
    uint64_t value = 0;

    while (n-- > 0)
        value = reference_add(ref, reference_mul(ref, value, x), coefficients[n]);
    return value;
}

/* Checks the factors for every small x, among them the points. */
static void predicts(const struct lagrange *l, const uint64_t *points, size_t n)
{
    size_t size = field_elem_size(field);
    unsigned char x[8] = { 0 }, row[8 * (MOST + 1)];
    uint64_t coefficients[MOST];

    CHECK(l->n == n);
    for (size_t i = 0; i < n; i++)
        coefficients[i] = reference_elem(ref, &state);
    for (uint64_t at = 0; at < 2 * MOST + 2 && at < ref->order; at++) {
        uint64_t sum = 0;

        hagg_store(x, 0, size, at);
        lagrange_row(l, x, row);
        for (size_t i = 0; i < n; i++)
            sum = reference_add(
                ref, sum,
                reference_mul(ref, hagg_load(row, i, size), value_at(coefficients, n, points[i])));
        CHECK(sum == value_at(coefficients, n, at));
    }
}

/* Makes one object from the points, and others from this one without some of them. */
static void predicts_from(size_t n)
{
    size_t size = field_elem_size(field);
    unsigned char points[8 * (MOST + 1)] = { 0 };
    uint64_t values[MOST];
    struct hagg_err err = { 0 };
    struct lagrange whole, part;

    for (size_t i = 0; i < n; i++)
        hagg_store(points, i, size, values[i] = 2 * i + (i % 3 == 0));
    CHECK(lagrange_new(&whole, field, points, n, &err) == 0);
    predicts(&whole, values, n);
    for (unsigned set = 0; set < 1u << n; set++) {
        uint32_t without[MOST];
        uint64_t left[MOST];
        size_t n_without = 0, n_left = 0;

        for (uint32_t i = 0; i < n; i++)
            if (set >> i & 1)
                without[n_without++] = i;
            else
                left[n_left++] = values[i];
        CHECK(lagrange_without(&part, &whole, without, n_without, &err) == 0);
        predicts(&part, left, n_left);
        lagrange_free(&part);
    }
    lagrange_free(&whole);
}

static void refuses(void)
{
    size_t size = field_elem_size(field);
    unsigned char points[3 * 8] = { 0 };
    struct hagg_err err = { 0 };
    struct lagrange l, part;
    uint32_t without[] = { 1 };

    hagg_store(points, 1, size, 1);
    CHECK(lagrange_new(&l, field, points, 3, &err) == -1 && err.status == HAGG_E_MISMATCH);
    CHECK_STR(err.text, "two points are equal");
    lagrange_free(&l);
    for (unsigned long i = 0; i < 3; i++) {
        alloc_refuse(i);
        CHECK(lagrange_new(&l, field, points, 2, &err) == -1 && err.status == HAGG_E_SYSTEM);
        lagrange_free(&l);
    }
    alloc_watch();
    CHECK(lagrange_new(&l, field, points, 2, &err) == 0);
    for (unsigned long i = 0; i < 2; i++) {
        alloc_refuse(i);
        CHECK(lagrange_without(&part, &l, without, 1, &err) == -1 && err.status == HAGG_E_SYSTEM);
        lagrange_free(&part);
    }
    alloc_watch();
    lagrange_free(&l);
}

int main(void)
{
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < N_REFERENCES; i++) {
        ref = &references[i];
        field = field_open(ref->spec, &err);
        if (!CHECK(field != NULL))
            break;
        predicts_from(0);
        predicts_from(1);
        if (ref->order > 2 * MOST)
            predicts_from(MOST);
        refuses();
        field_free(field);
    }
    return check_end();
}
