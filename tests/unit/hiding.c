/* What the points of a sharing prove agrees with the rank of each set of its holders. */
#include "audit/hiding.h"

#include <stdlib.h>

#include "check.h"
#include "reference.h"
#include "sharing/aligned.h"

static const struct reference *ref;
static struct field *field;
static uint64_t state = 31;

/* True if no z holders learn anything, by their ranks. */
static bool hides_from_all(const struct sharing *s)
{
    struct hagg_err err = { 0 };
    bool hides = true;

    for (unsigned set = 0; set < 1u << s->n; set++) {
        uint32_t chosen[8], n = 0;

        for (uint32_t u = 0; u < s->n; u++)
            if (set >> u & 1)
                chosen[n++] = u;
        if (n == s->shape.randoms / s->shape.symbols && hiding_from_set(s, chosen, n, &err) != 1)
            hides = false;
    }
    CHECK(err.status == HAGG_OK);
    return hides;
}

/* Changes one entry of a row that is not drawn, which the points must notice if there are at least
 * two such rows and two columns; otherwise every nonzero matrix has the form. */
static void notices_a_change(struct sharing *s)
{
    uint32_t z = s->shape.randoms;
    size_t row, col = s->shape.parts + reference_next(&state) % z;
    unsigned char keep[8], *at;

    do
        row = reference_next(&state) % s->n;
    while (hagg_load(matrix_at(&s->matrix, row, s->shape.parts), 0, s->matrix.elem_size) <= 1);
    at = matrix_at(&s->matrix, row, col);
    memcpy(keep, at, s->matrix.elem_size);
    hagg_store(at, 0, s->matrix.elem_size,
               reference_add(ref, hagg_load(at, 0, s->matrix.elem_size), 1));
    if (s->n - z > 1 && z > 1)
        CHECK(!hiding_by_points(s));
    hagg_store(at, 0, s->matrix.elem_size, 0);
    CHECK(!hiding_by_points(s));
    memcpy(at, keep, s->matrix.elem_size);
    CHECK(hiding_by_points(s));
}

static void proves(struct sharing *s)
{
    CHECK(hiding_by_points(s));
    CHECK(hides_from_all(s));
    CHECK(s->shape.randoms == 0 || s->drawn != NULL);
}

/* Whatever the matrix is, a proof by points is right: random entries in the rows that are not
 * drawn. */
static void is_sound(struct sharing *s, size_t *n_proved, size_t *n_hiding)
{
    for (size_t row = 0; row < s->n; row++) {
        bool drawn = false;

        for (uint32_t i = 0; i < s->shape.randoms; i++)
            drawn = drawn || s->drawn[i] == row;
        for (size_t col = s->shape.parts; col < s->matrix.cols && !drawn; col++)
            hagg_store(matrix_at(&s->matrix, row, col), 0, s->matrix.elem_size,
                       reference_next(&state) % ref->order);
    }
    if (hides_from_all(s))
        ++*n_hiding;
    if (hiding_by_points(s)) {
        ++*n_proved;
        CHECK(hides_from_all(s));
    }
}

static void ramps(const struct scheme *ramp)
{
    struct hagg_err err = { 0 };
    struct sharing s;

    for (uint32_t n = 2; n < ref->order && n <= 7; n++)
        for (uint32_t k = 1; k <= n; k++)
            for (uint32_t z = 0; z < k; z++) {
                CHECK(sharing_new(&s, field, ramp, n, k, z, NULL, NULL, &err) == 0);
                proves(&s);
                CHECK(hiding_from(&s, z, &err) == 1);
                CHECK(hiding_from(&s, z + 1, &err) == 0);
                if (z > 0 && n > z + 1 && ref->order > 1000)
                    notices_a_change(&s);
                sharing_free(&s);
            }
}

static bool is_drawn(const struct sharing *s, uint32_t row)
{
    for (uint32_t i = 0; i < s->shape.randoms; i++)
        if (s->drawn[i] == row)
            return true;
    return false;
}

/* A holder whose second symbol has the random vectors of its first one learns their difference. */
static void leaks_with_common_randomness(struct sharing *s, uint32_t holder)
{
    size_t first = (size_t)holder * s->shape.symbols, size = s->matrix.elem_size;
    struct hagg_err err = { 0 };

    memcpy(matrix_at(&s->matrix, first + 1, s->shape.parts),
           matrix_at(&s->matrix, first, s->shape.parts), s->shape.randoms * size);
    CHECK(!hiding_by_points(s));
    CHECK(hiding_from_set(s, &holder, 1, &err) == 0);
    CHECK(hiding_from(s, 1, &err) == 0);
}

/* Shares with several symbols. */
static void staircases(const struct scheme *staircase)
{
    struct hagg_err err = { 0 };
    struct sharing s;

    for (uint32_t n = 2; n < ref->order && n <= 6; n++)
        for (uint32_t k = 1; k < n; k++)
            for (uint32_t z = 0; z < k; z++) {
                uint32_t last = n - 1;

                CHECK(sharing_new(&s, field, staircase, n, k, z, NULL, NULL, &err) == 0);
                proves(&s);
                CHECK(hiding_from(&s, z, &err) == 1);
                CHECK(hiding_from(&s, z + 1, &err) == 0);
                if (z > 0 && s.shape.symbols > 1 && CHECK(!is_drawn(&s, last * s.shape.symbols)))
                    leaks_with_common_randomness(&s, last);
                sharing_free(&s);
            }
}

/* All blocks of clients with three or more of five holders. */
static void blocks(const struct scheme *scheme)
{
    enum { N = 5, SEGMENTS = 2, Z = 2 };
    unsigned char points[8 * N] = { 0 };
    const struct aligned a = { field, SEGMENTS, N, N, Z, points };
    struct hagg_err err = { 0 };

    for (uint32_t u = 0; u < N; u++)
        hagg_store(points, u, field_elem_size(field), aligned_point(SEGMENTS, u + 1));
    for (unsigned set = 0; set < 1u << N; set++) {
        uint32_t holders[N], n = 0;
        struct sharing s;

        for (uint32_t u = 0; u < N; u++)
            if (set >> u & 1)
                holders[n++] = u;
        if (n <= Z)
            continue;
        CHECK(aligned_block(&a, scheme, holders, n, 0, n == Z + 1 ? 1 : 2, NULL, &s, &err) == 0);
        proves(&s);
        sharing_free(&s);
    }
}

int main(void)
{
    static const struct reference fields[] = { { "prime:p=7", 7 }, { "m31", (1ull << 31) - 1 } };
    struct hagg_err err = { 0 };
    struct scheme *ramp = scheme_open("ramp", &err), *aligned = scheme_open("aligned", &err);
    struct scheme *staircase = scheme_open("staircase", &err);

    CHECK(ramp && aligned && staircase);
    for (size_t i = 0; i < 2; i++) {
        size_t n_proved = 0, n_hiding = 0;
        struct sharing s;

        ref = &fields[i];
        field = field_open(ref->spec, &err);
        CHECK(field != NULL);
        ramps(ramp);
        blocks(aligned);
        staircases(staircase);
        CHECK(sharing_new(&s, field, ramp, 4, 3, 2, NULL, NULL, &err) == 0);
        for (size_t tries = 0; tries < 20000 && i == 0; tries++)
            is_sound(&s, &n_proved, &n_hiding);
        /* the form is a special one, so there are others that hide */
        CHECK(i > 0 || (n_proved > 0 && n_hiding > n_proved));
        sharing_free(&s);
        field_free(field);
    }
    scheme_free(ramp);
    scheme_free(aligned);
    scheme_free(staircase);
    return check_end();
}
