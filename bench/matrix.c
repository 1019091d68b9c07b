/*
 * matrix.c - multiplies a 13 x 13 matrix by a block of 13 vectors: compares the field plugins with
 * the usual libraries.
 */
#include <stdio.h>
#include <stdlib.h>

#include "sharing/field.h"
#include "peer.h"
#include "report.h"
#include "rounds.h"
#include "sharing/uniform.h"

#define SIDE 13

/* 2^62 - 57, 2^60 - 93 and 2^26 - 5 */
#define PRIME_62 "prime:p=4611686018427387847"
#define PRIME_60 "prime:p=1152921504606846883"
#define PRIME_26 "prime:p=67108859"

/* A peer that does not accept the modulus of the field uses peer_field instead, with the same
 * number of elements, and is checked against peer_field. */
struct match {
    const char *name;
    const char *field;
    const struct peer *peer;
    const char *peer_field; /* NULL: the same */
    double target;
    int has_isas; /* also measure the field without its best instructions */
};

static const struct match matches[] = {
    { "m31 / FLINT", "m31", &peer_flint, NULL, 15, 1 },
    { "m31 / FFLAS", "m31", &peer_fflas, PRIME_26, 1.8, 0 },
    { "m31 / FFLAS balanced", "m31", &peer_fflas_balanced, PRIME_26, 1.8, 0 },
    { "m61 / FLINT", "m61", &peer_flint, NULL, 5, 1 },
    { "m61 / NTL", "m61", &peer_ntl, PRIME_60, 4, 0 },
    { "goldilocks / FLINT", "goldilocks", &peer_flint, NULL, 4, 1 },
    { "prime / FLINT", PRIME_62, &peer_flint, NULL, 2, 1 },
    { "gf256 / ISA-L", "gf256", &peer_isal, NULL, 1, 0 },
};

/* The operands and the result of one field. */
struct ours {
    struct field *field;
    size_t n_elems;
    unsigned char matrix[SIDE * SIDE * 8];
    unsigned char *vectors; /* followed by the products */
    const void *in[SIDE];
    void *out[SIDE];
};

static void ours_free(struct ours *o)
{
    field_free(o->field);
    free(o->vectors);
    *o = (struct ours){ 0 };
}

/* Uniform operands; vectors have n_elems elements. */
static int ours_new(struct ours *o, const char *spec, size_t n_elems, struct random *random,
                    struct hagg_err *err)
{
    size_t size;

    *o = (struct ours){ .n_elems = n_elems, .field = field_open(spec, err) };
    if (!o->field)
        return -1;
    size = field_elem_size(o->field);
    o->vectors = malloc(2 * SIDE * n_elems * size);
    if (!o->vectors) {
        ours_free(o);
        return err_errno(err, "%s", spec);
    }
    for (size_t i = 0; i < SIDE; i++) {
        o->in[i] = o->vectors + i * n_elems * size;
        o->out[i] = o->vectors + (SIDE + i) * n_elems * size;
    }
    if (uniform_elems(o->field, random, o->matrix, SIDE * SIDE, err) ||
        uniform_elems(o->field, random, o->vectors, SIDE * n_elems, err)) {
        ours_free(o);
        return -1;
    }
    return 0;
}

static void multiply(void *arg)
{
    struct ours *o = arg;

    field_mat_apply(o->field, o->out, SIDE, o->in, SIDE, o->matrix, o->n_elems);
}

/* The same operands and result, for a field that is limited to fewer instructions. */
static int use_isa(struct ours *with, const struct ours *o, const char *isa, struct hagg_err *err)
{
    *with = *o;
    setenv("HAGG_ISA", isa, 1);
    with->field = field_open(o->field->spec, err);
    unsetenv("HAGG_ISA");
    return with->field ? 0 : -1;
}

static struct peer_product describe(const struct ours *o)
{
    return (struct peer_product){ .modulus = o->field->info.order,
                                  .elem_size = field_elem_size(o->field),
                                  .side = SIDE,
                                  .n_elems = o->n_elems,
                                  .matrix = o->matrix,
                                  .vectors = o->vectors };
}

/* The peer's product must equal the product of our field for the same operands. */
static int check(const struct match *m, void *state, struct ours *o, struct hagg_err *err)
{
    size_t size = field_elem_size(o->field);

    multiply(o);
    m->peer->multiply(state);
    for (size_t v = 0; v < SIDE; v++)
        for (size_t i = 0; i < o->n_elems; i++) {
            uint64_t mine = hagg_load(o->out[v], i, size), its = m->peer->result(state, v, i);

            if (mine != its)
                return err_set(err, HAGG_E_SYSTEM,
                               "%s: product %zu of vector %zu is %llu here and %llu there", m->name,
                               i, v, (unsigned long long)mine, (unsigned long long)its);
        }
    return 0;
}

/* The peer with the form of the operands that is faster for it. */
static void *start_peer(const struct match *m, const struct ours *o, const char **form,
                        struct hagg_err *err)
{
    struct peer_product product = describe(o);
    struct rounds_side sides[2];
    void *states[2] = { NULL };
    size_t n_forms = m->peer->has_two_forms ? 2 : 1, best = 0;

    for (size_t i = 0; i < n_forms; i++) {
        states[i] = m->peer->start(&product, (int)i);
        if (!states[i])
            err_errno(err, "%s", m->name);
        sides[i] = (struct rounds_side){ .run = m->peer->multiply, .arg = states[i] };
    }
    if (n_forms == 2 && states[0] && states[1]) {
        rounds_run(sides, n_forms, 3);
        best = rounds_ratio(&sides[0], &sides[1], ROUNDS_CPU) > 1;
        m->peer->finish(states[!best]);
    }
    *form = best ? ", transposed" : "";
    return states[best];
}

/* Times our field, the peer, and our field with fewer instructions. */
static int race(const struct match *m, struct ours *o, void *state, const char *form,
                size_t megabytes, size_t n_rounds, struct hagg_err *err)
{
    static const char *const isas[] = { "avx2", "portable" };
    double units = (double)SIDE * SIDE * (double)o->n_elems;
    struct ours with[2] = { 0 };
    struct rounds_side sides[4] = { { .run = multiply, .arg = o },
                                    { .run = m->peer->multiply, .arg = state },
                                    { .run = multiply, .arg = &with[0] },
                                    { .run = multiply, .arg = &with[1] } };
    size_t n_isas = m->has_isas ? 2 : 0;
    char what[64];
    int status = 0;

    for (size_t i = 0; i < n_isas && status == 0; i++)
        status = use_isa(&with[i], o, isas[i], err);
    if (status == 0) {
        rounds_run(sides, 2 + n_isas, n_rounds);
        snprintf(what, sizeof what, "%s%s, %zu MB", m->name, form, megabytes);
        report_speed(what, "Gma/s", (struct report_work){ &sides[0], units },
                     (struct report_work){ &sides[1], units }, m->target);
        for (size_t i = 0; i < n_isas; i++) {
            snprintf(what, sizeof what, "  HAGG_ISA=%s", isas[i]);
            report_speed(what, "Gma/s", (struct report_work){ &sides[2 + i], units },
                         (struct report_work){ &sides[1], units }, 0);
        }
    }
    for (size_t i = 0; i < n_isas; i++)
        field_free(with[i].field);
    return status;
}

static int run_match(const struct match *m, size_t megabytes, size_t n_rounds,
                     struct random *random, struct hagg_err *err)
{
    struct field *field = field_open(m->field, err);
    struct ours own = { 0 }, peers = { 0 };
    const char *form;
    void *state;
    size_t n_elems;
    int status;

    if (!field)
        return -1;
    n_elems = megabytes * 1000000 / SIDE / field_elem_size(field);
    field_free(field);
    status = ours_new(&own, m->field, n_elems, random, err);
    if (status == 0 && m->peer_field)
        status = ours_new(&peers, m->peer_field, n_elems, random, err);
    if (status == 0) {
        struct ours *common = m->peer_field ? &peers : &own;

        state = start_peer(m, common, &form, err);
        status = state ? check(m, state, common, err) : -1;
        if (status == 0)
            status = race(m, &own, state, form, megabytes, n_rounds, err);
        if (state)
            m->peer->finish(state);
    }
    ours_free(&own);
    ours_free(&peers);
    return status;
}

int main(int argc, char **argv)
{
    int quick = report_args(argc, argv, NULL).quick, status = 0;
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);

    if (!random)
        report_die(&err);
    report_heading("matrix 13 x 13 times 13 vectors");
    for (size_t i = 0; i < sizeof matches / sizeof *matches; i++)
        for (size_t megabytes = 8; megabytes <= (quick ? 8 : 256); megabytes *= 32)
            if (run_match(&matches[i], megabytes, quick ? 3 : 11, random, &err)) {
                fprintf(stderr, "bench: %s\n", err.text);
                status = 1;
            }
    random_free(random);
    return status;
}
