/* add, sub and scale_add on whole vectors: the same results as one element at a time, at every
 * length and alignment, in place, and without accessing anything else. */
#include "checks.h"

#include <stdlib.h>

#include "guarded.h"
#include "report.h"
#include "subject.h"

#define MAX_N 20011

/* After every tail of every vector width, lengths that exceed block sizes. */
static const size_t long_lengths[] = { 100, 127, 128, 255, 1000, 4096, 4099, MAX_N };

enum op { ADD, SUB, SCALE_ADD };

enum alias { APART, OUT_IS_A, OUT_IS_B, ALL_SAME };

static const char *const op_names[] = { "add", "sub", "scale_add" };
static const char *const alias_names[] = { "", " with out == a", " with out == b",
                                           " with out == a == b" };

struct buffers {
    struct guarded out, a, b;
    unsigned char *out_before, *a_before, *b_before;
};

static uint64_t expected(const struct subject *s, enum op op, const struct buffers *v, size_t i)
{
    uint64_t a = subject_get(s, v->a_before, i);

    switch (op) {
    case ADD:
        return subject_add(s, a, subject_get(s, v->b_before, i));
    case SUB:
        return subject_sub(s, a, subject_get(s, v->b_before, i));
    default:
        return subject_add(s, subject_get(s, v->out_before, i),
                           subject_mul(s, subject_get(s, v->b_before, 0), a));
    }
}

static bool compare(const struct subject *s, enum op op, enum alias alias, size_t n,
                    const unsigned char *out, const struct buffers *v)
{
    const char *name = op_names[op], *as = alias_names[alias];
    size_t len_bytes = n * s->info.elem_size;

    for (size_t i = 0; i < n; i++) {
        if (subject_get(s, out, i) >= s->info.order)
            return report_wrong("%s%s of %zu elements: element %zu is not canonical", name, as, n,
                                i);
        if (subject_get(s, out, i) != expected(s, op, v, i))
            return report_wrong("%s%s of %zu elements: element %zu is not what it is alone", name,
                                as, n, i);
    }
    if (out != v->a.data && memcmp(v->a.data, v->a_before, len_bytes) != 0)
        return report_wrong("%s%s of %zu elements changes a", name, as, n);
    if (out != v->b.data && memcmp(v->b.data, v->b_before, v->b.len_bytes) != 0)
        return report_wrong("%s%s of %zu elements changes %s", name, as, n,
                            op == SCALE_ADD ? "c" : "b");
    if (!guarded_intact(&v->out) || !guarded_intact(&v->a) || !guarded_intact(&v->b))
        return report_wrong("%s%s of %zu elements writes outside them", name, as, n);
    return true;
}

static bool try(const struct subject *s, struct buffers *v, struct prng *g, enum op op,
                enum alias alias, size_t n, size_t shift)
{
    size_t elem_size = s->info.elem_size, n_b = op == SCALE_ADD ? 1 : n;
    unsigned char *a = guarded_place(&v->a, n * elem_size, shift * 3 % 17);
    unsigned char *b = guarded_place(&v->b, n_b * elem_size, shift * 7 % 19);
    unsigned char *out = guarded_place(&v->out, n * elem_size, shift);

    subject_random(s, g, a, n);
    subject_random(s, g, b, n_b);
    subject_random(s, g, out, n);
    if (alias == OUT_IS_A || alias == ALL_SAME)
        out = a;
    if (alias == OUT_IS_B)
        out = b;
    if (alias == ALL_SAME)
        memcpy(b, a, n * elem_size);
    memcpy(v->a_before, a, n * elem_size);
    memcpy(v->b_before, b, n_b * elem_size);
    memcpy(v->out_before, out, n * elem_size);
    if (alias == ALL_SAME)
        b = a;
    switch (op) {
    case ADD:
        s->field->add(s->ctx, out, a, b, n);
        break;
    case SUB:
        s->field->sub(s->ctx, out, a, b, n);
        break;
    case SCALE_ADD:
        s->field->scale_add(s->ctx, out, b, a, n);
        break;
    }
    return compare(s, op, alias, n, out, v);
}

static void check_op(const struct subject *s, enum op op, enum alias alias)
{
    struct prng g = { .state = 6 };
    struct buffers v = { .out_before = subject_vector(s, MAX_N),
                         .a_before = subject_vector(s, MAX_N),
                         .b_before = subject_vector(s, MAX_N) };

    for (size_t n = 0; n <= 67; n++)
        for (size_t shift = 0; shift < 16; shift++)
            if (!try(s, &v, &g, op, alias, n, shift))
                goto out;
    for (size_t i = 0; i < sizeof long_lengths / sizeof *long_lengths; i++)
        for (size_t shift = 0; shift < 2; shift++)
            if (!try(s, &v, &g, op, alias, long_lengths[i], shift))
                goto out;
out:
    guarded_free(&v.out);
    guarded_free(&v.a);
    guarded_free(&v.b);
    free(v.out_before);
    free(v.a_before);
    free(v.b_before);
}

static void check_add(struct subject *s)
{
    check_op(s, ADD, APART);
}

static void check_add_in_place(struct subject *s)
{
    check_op(s, ADD, OUT_IS_A);
    check_op(s, ADD, OUT_IS_B);
    check_op(s, ADD, ALL_SAME);
}

static void check_sub(struct subject *s)
{
    check_op(s, SUB, APART);
}

static void check_sub_in_place(struct subject *s)
{
    check_op(s, SUB, OUT_IS_A);
    check_op(s, SUB, OUT_IS_B);
    check_op(s, SUB, ALL_SAME);
}

static void check_scale_add(struct subject *s)
{
    check_op(s, SCALE_ADD, APART);
}

static void check_scale_add_in_place(struct subject *s)
{
    check_op(s, SCALE_ADD, OUT_IS_A);
}

/* c may be one of the elements of a; linear algebra calls it like this. */
static void check_scale_add_own_factor(struct subject *s)
{
    enum { N = 67 };
    struct prng g = { .state = 7 };
    unsigned char *a = subject_vector(s, N), *out = subject_vector(s, N);
    unsigned char *wanted = subject_vector(s, N), c[8];

    for (size_t i = 0; i < N && !report_found(); i++) {
        subject_random(s, &g, a, N);
        memset(out, 0, N * s->info.elem_size);
        memset(wanted, 0, N * s->info.elem_size);
        memcpy(c, a + i * s->info.elem_size, s->info.elem_size);
        s->field->scale_add(s->ctx, wanted, c, a, N);
        s->field->scale_add(s->ctx, out, a + i * s->info.elem_size, a, N);
        if (memcmp(out, wanted, N * s->info.elem_size) != 0)
            report_wrong("scale_add differs when c is element %zu of a", i);
    }
    free(a);
    free(out);
    free(wanted);
}

void vectors_run(struct subject *s)
{
    report_check("add", check_add, s);
    report_check("add in place", check_add_in_place, s);
    report_check("sub", check_sub, s);
    report_check("sub in place", check_sub_in_place, s);
    report_check("scale_add", check_scale_add, s);
    report_check("scale_add in place", check_scale_add_in_place, s);
    report_check("scale_add with a factor of its own", check_scale_add_own_factor, s);
}
