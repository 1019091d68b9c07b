#include "decode/locate_trial.h"

#include "check.h"
#include "reference.h"

enum { MAX_VALUES = 256 };

static const struct reference *ref;
static struct field *field;
static uint64_t state = 14;

static uint64_t random_below(uint64_t n)
{
    return reference_elem(ref, &state) % n;
}

/* Fills in one column of a sharing of random parts. */
static void make_values(const struct sharing *s, unsigned char *values)
{
    size_t size = field_elem_size(field);
    uint64_t in[MAX_VALUES];

    for (size_t i = 0; i < s->matrix.cols; i++)
        in[i] = reference_elem(ref, &state);
    for (size_t r = 0; r < s->matrix.rows; r++) {
        uint64_t sum = 0;

        for (size_t i = 0; i < s->matrix.cols; i++)
            sum = reference_add(
                ref, sum,
                reference_mul(ref, hagg_load(matrix_at(&s->matrix, r, i), 0, size), in[i]));
        hagg_store(values, r, size, sum);
    }
}

/* Changes one symbol or several of a share. */
static void damage(const struct sharing *s, unsigned char *values, uint32_t share)
{
    size_t size = field_elem_size(field), first = random_below(s->shape.symbols);

    for (size_t i = first; i < s->shape.symbols; i += 2) {
        size_t at = share * (size_t)s->shape.symbols + i;

        hagg_store(values, at, size,
                   reference_add(ref, hagg_load(values, at, size), 1 + random_below(20)));
    }
}

static void finds(const struct scheme *scheme, uint32_t n, uint32_t k, uint32_t z, uint32_t n_wrong)
{
    unsigned char values[MAX_VALUES * 8];
    bool is_wrong[16] = { false }, found[16];
    struct hagg_err err = { 0 };
    struct sharing s;

    CHECK(sharing_new(&s, field, scheme, n, k, z, NULL, NULL, &err) == 0);
    CHECK(s.matrix.rows <= MAX_VALUES && s.matrix.cols <= MAX_VALUES);
    make_values(&s, values);
    for (uint32_t i = 0; i < n_wrong; i++) {
        uint32_t share = (uint32_t)random_below(n);

        while (is_wrong[share])
            share = (share + 1) % n;
        is_wrong[share] = true;
        damage(&s, values, share);
    }
    CHECK(locate_trial(&s, values, found, &err) == (2 * n_wrong <= n - k));
    for (uint32_t i = 0; i < n && 2 * n_wrong <= n - k; i++)
        CHECK(found[i] == is_wrong[i]);
    sharing_free(&s);
}

int main(void)
{
    static const struct reference fields[] = { { "prime:p=65521", 65521 },
                                               { "m31", (1ull << 31) - 1 } };
    struct hagg_err err = { 0 };
    struct scheme *staircase = scheme_open("staircase", &err),
                  *two = scheme_open("staircase:missing=0.1", &err),
                  *ramp = scheme_open("ramp", &err);

    CHECK(staircase && two && ramp);
    for (size_t i = 0; i < 2; i++) {
        ref = &fields[i];
        field = field_open(ref->spec, &err);
        CHECK(field != NULL);
        for (int again = 0; again < 10; again++) {
            finds(staircase, 5, 3, 1, 1);
            finds(staircase, 7, 3, 1, 2);
            finds(staircase, 7, 5, 2, 1);
            finds(two, 5, 3, 1, 1);
            finds(ramp, 9, 3, 2, 3);
            /* too many, so that nothing is found; the field is large enough for this to be sure */
            finds(staircase, 5, 3, 1, 2);
            finds(staircase, 5, 4, 1, 1);
        }
        field_free(field);
    }
    scheme_free(staircase);
    scheme_free(two);
    scheme_free(ramp);
    return check_end();
}
