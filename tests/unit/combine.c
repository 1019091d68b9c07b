#include "sharing/combine.h"

#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "reference.h"

static const struct reference *ref;
static struct field *field;
static uint64_t state = 3;

enum { MAX = 8 };

static uint64_t entry(const struct matrix *m, size_t row, size_t col)
{
    return hagg_load(matrix_at(m, row, col), 0, m->elem_size);
}

/* Makes shares of random parts and combines them: this gives the parts and zeros. If a share that
 * is used is wrong, not all are zeros. */
static void combines(const struct sharing *s, const struct combine *c, const bool *left_out,
                     uint32_t n_left)
{
    uint64_t in[2 * MAX], shares[2 * MAX];
    size_t symbols = s->shape.symbols, wrong = 0;

    for (size_t i = 0; i < s->matrix.cols; i++)
        in[i] = reference_elem(ref, &state);
    for (size_t r = 0; r < s->matrix.rows; r++) {
        shares[r] = 0;
        for (size_t i = 0; i < s->matrix.cols; i++)
            shares[r] =
                reference_add(ref, shares[r], reference_mul(ref, entry(&s->matrix, r, i), in[i]));
        /* shares that are left out may have any value */
        if (left_out[r / symbols])
            shares[r] = reference_elem(ref, &state);
    }
    CHECK(c->n_parts == s->shape.parts && c->n_surplus == (n_left - s->k) * symbols);
    CHECK(c->matrix.rows == c->n_parts + c->n_surplus);
    CHECK(c->matrix.cols == s->n * symbols);
    for (size_t bad = 0; bad <= s->matrix.rows; bad++) {
        size_t n_off = 0;

        if (bad < s->matrix.rows)
            shares[bad] = reference_add(ref, shares[bad], 1);
        for (size_t r = 0; r < c->matrix.rows; r++) {
            uint64_t sum = 0;

            for (size_t i = 0; i < c->matrix.cols; i++)
                sum =
                    reference_add(ref, sum, reference_mul(ref, entry(&c->matrix, r, i), shares[i]));
            if (r >= c->n_parts)
                n_off += sum != 0;
            else if (bad == s->matrix.rows)
                wrong += sum != in[r];
        }
        if (bad < s->matrix.rows) {
            bool asked = !left_out[bad / symbols] && n_left > s->k;

            wrong += asked ? n_off == 0 : n_off > 0;
            shares[bad] = reference_sub(ref, shares[bad], 1);
        } else
            wrong += n_off > 0;
    }
    CHECK(wrong == 0);
}

static void leaves_out_every_set(const struct scheme *scheme, uint32_t n, uint32_t k, uint32_t z)
{
    struct hagg_err err = { 0 };
    struct sharing s;

    CHECK(sharing_new(&s, field, scheme, n, k, z, NULL, NULL, &err) == 0);
    for (unsigned set = 0; set < 1u << n; set++) {
        uint32_t n_left = n - (uint32_t)__builtin_popcount(set);
        bool left_out[MAX];
        struct combine c;
        char want[100];

        for (uint32_t i = 0; i < n; i++)
            left_out[i] = set >> i & 1;
        if (n_left >= k) {
            CHECK(combine_new(&c, &s, left_out, &err) == 0);
            combines(&s, &c, left_out, n_left);
        } else {
            CHECK(combine_new(&c, &s, left_out, &err) == -1 && err.status == HAGG_E_TOO_FEW);
            snprintf(want, sizeof want, "only %u of the shares are left, but %u are needed", n_left,
                     k);
            CHECK_STR(err.text, want);
        }
        combine_free(&c);
    }
    sharing_free(&s);
}

/* A scheme with points, one part, three random vectors and two symbols per share. Its rows are the
 * powers of 2u + 1 and 2u + 2. */
static int two_shape(uint32_t n, uint32_t k, uint32_t z, struct hagg_scheme_shape *shape,
                     char why[HAGG_WHY_SIZE])
{
    (void)n;
    (void)z;
    (void)why;
    *shape = (struct hagg_scheme_shape){ .parts = 1, .randoms = 2 * k - 1, .symbols = 2 };
    return 0;
}

static int two_matrix(uint32_t n, uint32_t k, uint32_t z, const struct hagg_field *f,
                      const void *ctx, const struct hagg_field_info *info, const void *points,
                      void *matrix, char why[HAGG_WHY_SIZE])
{
    (void)z;
    (void)f;
    (void)ctx;
    (void)points;
    (void)why;
    for (uint32_t r = 0; r < 2 * n; r++)
        for (uint32_t c = 0; c < 2 * k; c++) {
            uint64_t power = 1;

            for (uint32_t i = 0; i < c; i++)
                power = reference_mul(ref, power, r + 1);
            hagg_store(matrix, r * 2 * k + c, info->elem_size, power);
        }
    return 0;
}

static void fails_cleanly_without_memory(const struct scheme *scheme)
{
    static const bool left_out[5] = { false, true, false, false, false };
    struct hagg_err err = { 0 };
    struct sharing s;

    CHECK(sharing_new(&s, field, scheme, 5, 3, 1, NULL, NULL, &err) == 0);
    for (unsigned long at = 0;; at++) {
        struct combine c;
        int status;

        err = (struct hagg_err){ 0 };
        alloc_refuse(at);
        status = combine_new(&c, &s, left_out, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        combine_free(&c);
        if (!alloc_refused())
            break;
        CHECK(at < 100);
    }
    alloc_watch();
    sharing_free(&s);
}

int main(void)
{
    static const struct reference fields[] = { { "prime:p=31", 31 },
                                               { "gf256", 256 },
                                               { "m31", (1ull << 31) - 1 },
                                               { "goldilocks", 0xffffffff00000001 } };
    struct hagg_err err = { 0 };
    struct scheme *ramp = scheme_open("ramp", &err), *additive = scheme_open("additive", &err);
    struct scheme two = { .ops = { .name = "two", .shape = two_shape, .matrix = two_matrix } };

    CHECK(ramp && additive);
    for (size_t i = 0; i < 4; i++) {
        ref = &fields[i];
        field = field_open(ref->spec, &err);
        CHECK(field != NULL);
        for (uint32_t n = 1; n <= 6; n++)
            for (uint32_t k = 1; k <= n; k++)
                leaves_out_every_set(ramp, n, k, k / 2);
        leaves_out_every_set(additive, 5, 5, 4);
        leaves_out_every_set(&two, 4, 2, 1);
        if (i == 0)
            fails_cleanly_without_memory(ramp);
        field_free(field);
    }
    scheme_free(ramp);
    scheme_free(additive);
    return check_end();
}
