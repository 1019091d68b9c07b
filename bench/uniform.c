/*
 * uniform.c - compares the speed of exactly uniform elements, for every field, with that of the
 * generator's bytes they are made from. random-sources.c compares the generator with others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "rounds.h"
#include "sharing/uniform.h"

static const char *const fields[] = { "m31", "m61", "goldilocks", "prime:p=4611686018427387847",
                                      "gf256" };

/* The first size fits in the second-level cache, the second in no cache. */
static const struct size {
    const char *name;
    size_t len_bytes;
} sizes[] = { { "256 kB", 256000 }, { "64 MB", 64000000 } };

#define LARGEST 64000000

struct task {
    struct random *random;
    struct field *field;
    unsigned char *out;
    size_t len_bytes;
};

static void make_elems(void *arg)
{
    struct task *t = arg;
    struct hagg_err err;

    if (uniform_elems(t->field, t->random, t->out, t->len_bytes / field_elem_size(t->field), &err))
        report_die(&err);
}

static void make_bytes(void *arg)
{
    struct task *t = arg;
    struct hagg_err err;

    if (random_bytes(t->random, t->out, t->len_bytes, &err))
        report_die(&err);
}

static void compare(struct task *t, const struct size *size, size_t n_rounds, double target)
{
    struct rounds_side sides[] = { { .run = make_elems, .arg = t },
                                   { .run = make_bytes, .arg = t } };
    double bytes = (double)size->len_bytes;
    char what[64];

    t->len_bytes = size->len_bytes;
    rounds_run(sides, 2, n_rounds);
    snprintf(what, sizeof what, "%s, %s", t->field->ops.name, size->name);
    report_speed(what, "GB/s", (struct report_work){ &sides[0], bytes },
                 (struct report_work){ &sides[1], bytes }, target);
}

int main(int argc, char **argv)
{
    size_t n_rounds = report_args(argc, argv, NULL).quick ? 3 : 21;
    struct hagg_err err = { .text = "no memory" };
    struct task t = { .random = random_new(&err), .out = malloc(LARGEST) };

    if (!t.random || !t.out)
        report_die(&err);
    report_heading("uniform elements / key stream");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        t.field = field_open(fields[i], &err);
        if (!t.field)
            report_die(&err);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            compare(&t, &sizes[s], n_rounds, strcmp(fields[i], "m31") == 0 ? 0.5 : 0);
        field_free(t.field);
    }
    random_free(t.random);
    free(t.out);
    return 0;
}
