/*
 * narrow.c - compares fields with elements of one and two bytes with m31, by bytes: every operation
 * of a field that commands call, for every instruction set.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "rounds.h"
#include "sharing/field.h"
#include "sharing/uniform.h"

#define PEER "m31"
static const char *const fields[] = { "prime:p=65521", "prime:p=251" };

#define N_FIELDS (sizeof fields / sizeof *fields)

/* The best of this machine, which also measures the others. */
static const char *const isas[] = { NULL, "avx2", "portable" };

/* Vectors of this number of bytes are read from the second-level cache, as the blocks of commands
 * are. */
#define BYTES    (1u << 16)
#define MAX_ROWS 26

struct task {
    struct field *field;
    struct random *random;
    const struct operation *operation;
    unsigned char *in[MAX_ROWS], *out[MAX_ROWS];
    unsigned char matrix[MAX_ROWS * MAX_ROWS * sizeof(uint64_t)];
    int64_t *integers;
    size_t n_elems;
};

/* units are bytes of elements, or elements where the integers dominate. */
struct operation {
    const char *name;
    void (*run)(void *task);
    size_t n_out, n_in; /* of a matrix */
    int by_elems;
    double target;
};

static void multiply(void *arg)
{
    struct task *t = arg;

    field_mat_apply(t->field, (void *const *)t->out, t->operation->n_out,
                    (const void *const *)t->in, t->operation->n_in, t->matrix, t->n_elems);
}

static void scale_add(void *arg)
{
    struct task *t = arg;

    field_scale_add(t->field, t->out[0], t->matrix, t->in[0], t->n_elems);
}

static void add(void *arg)
{
    struct task *t = arg;

    field_add(t->field, t->out[0], t->in[0], t->in[1], t->n_elems);
}

static void sub(void *arg)
{
    struct task *t = arg;

    field_sub(t->field, t->out[0], t->in[0], t->in[1], t->n_elems);
}

static void refuse(const struct task *t)
{
    fprintf(stderr, "bench: %s refuses what it made\n", t->field->spec);
    exit(1);
}

static void add_checked(void *arg)
{
    struct task *t = arg;

    if (field_add_checked(t->field, t->out[0], t->in[0], t->in[1], t->n_elems) != t->n_elems)
        refuse(t);
}

static void check(void *arg)
{
    struct task *t = arg;

    if (field_check(t->field, t->in[0], t->n_elems) != t->n_elems)
        refuse(t);
}

static void draw(void *arg)
{
    struct task *t = arg;
    struct hagg_err err;

    if (uniform_elems(t->field, t->random, t->out[0], t->n_elems, &err))
        report_die(&err);
}

static void from_int(void *arg)
{
    struct task *t = arg;

    if (field_from_int(t->field, t->out[0], t->integers, t->n_elems) != t->n_elems)
        refuse(t);
}

static void to_int(void *arg)
{
    struct task *t = arg;

    field_to_int(t->field, t->integers, t->in[0], t->n_elems);
}

static const struct operation operations[] = {
    { "13 x 13 matrix", multiply, 13, 13, 0, 1 },
    { "26 x 26 matrix", multiply, 26, 26, 0, 1 },
    { "7 x 13 matrix", multiply, 7, 13, 0, 1 },
    { "3 x 3 matrix", multiply, 3, 3, 0, 1 },
    { "1 x 13 matrix", multiply, 1, 13, 0, 1 },
    { "multiply and add", scale_add, 0, 0, 0, 1 },
    { "add", add, 0, 0, 0, 0.9 },
    { "subtract", sub, 0, 0, 0, 0.9 },
    { "check and add", add_checked, 0, 0, 0, 0.9 },
    { "check", check, 0, 0, 0, 0.9 },
    { "draw", draw, 0, 0, 0, 0.9 },
    { "from integers, by elements", from_int, 0, 0, 1, 0.9 },
    { "to integers, by elements", to_int, 0, 0, 1, 0.9 },
};

static void *allocate(size_t len_bytes)
{
    void *memory = aligned_alloc(64, len_bytes);

    if (!memory) {
        fprintf(stderr, "bench: no memory\n");
        exit(1);
    }
    return memory;
}

static void task_init(struct task *t, const char *spec, struct random *random)
{
    struct hagg_err err;

    *t = (struct task){ .field = field_open(spec, &err), .random = random };
    if (!t->field)
        report_die(&err);
    t->n_elems = BYTES / field_elem_size(t->field);
    t->integers = allocate(t->n_elems * sizeof *t->integers);
    if (uniform_elems(t->field, random, t->matrix, MAX_ROWS * MAX_ROWS, &err))
        report_die(&err);
    for (size_t i = 0; i < MAX_ROWS; i++) {
        /* so that rows do not compete for the same lines of the cache */
        t->in[i] = (unsigned char *)allocate(BYTES + 8192) + i % 31 * 192;
        t->out[i] = (unsigned char *)allocate(BYTES + 8192) + i % 29 * 192;
        if (uniform_elems(t->field, random, t->in[i], t->n_elems, &err) ||
            uniform_elems(t->field, random, t->out[i], t->n_elems, &err))
            report_die(&err);
    }
    to_int(t);
}

static void compare(struct task *tasks, const char *isa, const struct operation *op,
                    size_t n_rounds)
{
    struct rounds_side sides[N_FIELDS + 1];

    for (size_t i = 0; i <= N_FIELDS; i++) {
        tasks[i].operation = op;
        sides[i] = (struct rounds_side){ .run = op->run, .arg = &tasks[i] };
    }
    rounds_run(sides, N_FIELDS + 1, n_rounds);
    for (size_t i = 0; i < N_FIELDS; i++) {
        double ours = op->by_elems ? (double)tasks[i].n_elems : BYTES;
        double peer = op->by_elems ? (double)tasks[N_FIELDS].n_elems : BYTES;
        char what[64];

        snprintf(what, sizeof what, "%s: %s, %s", isa ? isa : "best", op->name,
                 strstr(fields[i], "p="));
        report_speed(what, op->by_elems ? "Ge/s" : "GB/s", (struct report_work){ &sides[i], ours },
                     (struct report_work){ &sides[N_FIELDS], peer }, op->target);
    }
}

int main(int argc, char **argv)
{
    size_t n_rounds = report_args(argc, argv, NULL).quick ? 3 : 21;
    struct hagg_err err = { 0 };
    struct random *random = random_new(&err);

    if (!random)
        report_die(&err);
    report_heading("small primes / m31, by bytes");
    for (size_t s = 0; s < sizeof isas / sizeof *isas; s++) {
        struct task tasks[N_FIELDS + 1];

        if (isas[s])
            setenv("HAGG_ISA", isas[s], 1);
        for (size_t i = 0; i <= N_FIELDS; i++)
            task_init(&tasks[i], i < N_FIELDS ? fields[i] : PEER, random);
        for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
            compare(tasks, isas[s], &operations[o], n_rounds);
        for (size_t i = 0; i <= N_FIELDS; i++)
            field_free(tasks[i].field);
    }
    random_free(random);
    return 0;
}
