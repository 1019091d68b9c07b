/*
 * add.c - compares the sum of two vectors with memcpy of one, by the bytes that pass through the
 * core: a sum reads two vectors and writes one, a copy reads one and writes one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sharing/field.h"
#include "report.h"
#include "rounds.h"
#include "sharing/uniform.h"

static const char *const fields[] = { "m31", "m61", "goldilocks", "prime:p=4611686018427387847",
                                      "gf256" };

/* Three vectors of the first size fit in the first-level cache, three of the second size in the
 * second-level cache. The third size is larger than any cache. */
static const struct size {
    const char *name;
    size_t len_bytes;
} sizes[] = { { "8 kB", 8000 }, { "200 kB", 200000 }, { "64 MB", 64000000 } };

#define LARGEST 64000000

/* The start of a vector: at a cache line, or aligned as malloc aligns a large block. */
static const struct place {
    const char *name;
    size_t offset;
} places[] = { { "", 0 }, { ", as malloc aligns", 16 } };

/* Vectors begin at different offsets within a page, so that none evicts another from the cache. */
#define PAGE       4096
#define STAGGER    1344
#define ROOM_BYTES ((LARGEST / PAGE + 2) * PAGE)

struct vectors {
    const struct field *field;
    unsigned char *a, *b, *out;
    size_t len_bytes;
};

static void add(void *arg)
{
    struct vectors *v = arg;

    field_add(v->field, v->out, v->a, v->b, v->len_bytes / field_elem_size(v->field));
}

static void copy(void *arg)
{
    struct vectors *v = arg;

    memcpy(v->out, v->a, v->len_bytes);
}

static int compare(const struct field *f, unsigned char *memory, const struct size *size,
                   const struct place *place, size_t n_rounds, struct random *random,
                   struct hagg_err *err)
{
    unsigned char *base = memory + place->offset;
    struct vectors v = { f, base, base + ROOM_BYTES + STAGGER, base + 2 * (ROOM_BYTES + STAGGER),
                         size->len_bytes };
    struct rounds_side sides[] = { { .run = add, .arg = &v }, { .run = copy, .arg = &v } };
    double bytes = (double)size->len_bytes;
    char what[64];

    if (uniform_elems(f, random, v.a, v.len_bytes / field_elem_size(f), err) ||
        uniform_elems(f, random, v.b, v.len_bytes / field_elem_size(f), err))
        return -1;
    rounds_run(sides, 2, n_rounds);
    snprintf(what, sizeof what, "%s, %s%s", f->ops.name, size->name, place->name);
    report_speed(what, "GB/s", (struct report_work){ &sides[0], 3 * bytes },
                 (struct report_work){ &sides[1], 2 * bytes }, 0.8);
    return 0;
}

int main(int argc, char **argv)
{
    size_t n_rounds = report_args(argc, argv, NULL).quick ? 3 : 21;
    struct hagg_err err = { .text = "no memory" };
    struct random *random = random_new(&err);
    unsigned char *memory = aligned_alloc(PAGE, 4 * (size_t)ROOM_BYTES);

    if (!random || !memory)
        report_die(&err);
    report_heading("vector add / memcpy, bytes moved");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct field *f = field_open(fields[i], &err);

        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (size_t p = 0; p < sizeof places / sizeof *places; p++)
                if (!f || compare(f, memory, &sizes[s], &places[p], n_rounds, random, &err))
                    report_die(&err);
        field_free(f);
    }
    free(memory);
    random_free(random);
    return 0;
}
