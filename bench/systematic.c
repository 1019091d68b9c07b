/*
 * systematic.c - compares sharing, in which z shares are drawn and the others computed, with the
 * scheme's own matrix, which computes all shares from z random vectors. The shares are discarded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "rounds.h"
#include "sharing/sharing.h"

enum { N = 13, K = 13, Z = 6 };

/* Elements of a row, of about 10 kB as in sharing_split, so that all rows fit in the second-level
 * cache. */
#define TILE 2520

struct task {
    struct sharing sharing;
    struct matrix computed; /* its rows that are not drawn */
    unsigned char *parts;   /* of the vector */
    size_t part_length;
    unsigned char *rows; /* N + K rows of a tile */
    struct random *random;
};

static int discard(struct sharing_sink *sink, void *const *rows, size_t n, struct hagg_err *err)
{
    (void)sink;
    (void)rows;
    (void)n;
    (void)err;
    return 0;
}

/* The product alone, on one tile. */
static void multiply(void *arg)
{
    struct task *t = arg;
    size_t row_bytes = TILE * field_elem_size(t->sharing.field);
    const void *from[K];
    void *to[N];

    for (size_t i = 0; i < K; i++)
        from[i] = t->rows + i * row_bytes;
    for (size_t i = 0; i < t->computed.rows; i++)
        to[i] = t->rows + (K + i) * row_bytes;
    matrix_apply(&t->computed, t->sharing.field, to, from, TILE);
}

/* Everything, with the random numbers. */
static void share(void *arg)
{
    struct task *t = arg;
    struct sharing_sink sink = { discard };
    struct hagg_err err = { 0 };

    if (sharing_split(&t->sharing, t->parts, t->part_length, NULL, t->random, NULL, &sink, &err))
        report_die(&err);
}

static void task_new(struct task *t, const struct field *field, const struct scheme *ramp,
                     bool is_systematic, size_t length)
{
    struct hagg_err err = { .text = "no memory" };
    size_t size = field_elem_size(field), n = 0;

    *t = (struct task){ .random = random_new(&err), .part_length = length / (K - Z) };
    if (!t->random || sharing_new(&t->sharing, field, ramp, N, K, Z, NULL, NULL, &err))
        report_die(&err);
    if (!is_systematic) {
        matrix_free(&t->sharing.matrix);
        free(t->sharing.drawn);
        t->sharing.drawn = NULL;
        if (scheme_matrix(ramp, N, K, Z, field, t->sharing.points, &t->sharing.matrix, &err))
            report_die(&err);
    }
    t->parts = calloc(K - Z, t->part_length * size);
    t->rows = calloc(N + K, TILE * size);
    if (!t->parts || !t->rows || matrix_copy(&t->computed, &t->sharing.matrix, &err))
        report_die(&err);
    for (uint32_t u = is_systematic ? Z : 0; u < N; u++, n++)
        memcpy(matrix_at(&t->computed, n, 0), matrix_at(&t->sharing.matrix, u, 0), K * size);
    t->computed.rows = n;
}

static void task_free(struct task *t)
{
    sharing_free(&t->sharing);
    matrix_free(&t->computed);
    random_free(t->random);
    free(t->parts);
    free(t->rows);
}

/* The speed is that of the vector that is shared. */
static void compare(const char *spec, const struct scheme *ramp, size_t n_rounds, size_t length)
{
    struct hagg_err err = { 0 };
    struct field *field = field_open(spec, &err);
    struct task ours, peer;
    char what[64];

    if (!field)
        report_die(&err);
    task_new(&ours, field, ramp, true, length);
    task_new(&peer, field, ramp, false, length);
    for (int whole = 0; whole < 2; whole++) {
        struct rounds_side sides[] = { { .run = whole ? share : multiply, .arg = &ours },
                                       { .run = whole ? share : multiply, .arg = &peer } };
        double elems = whole ? (double)length : (K - Z) * TILE;

        rounds_run(sides, 2, n_rounds);
        snprintf(what, sizeof what, "%s, %s", spec, whole ? "with the random numbers" : "matrix");
        report_speed(what, "GB/s",
                     (struct report_work){ &sides[0], elems * (double)field_elem_size(field) },
                     (struct report_work){ &sides[1], elems * (double)field_elem_size(field) },
                     whole == 0 && strcmp(spec, "m31") == 0 ? 1.6 : 0);
    }
    task_free(&ours);
    task_free(&peer);
    field_free(field);
}

int main(int argc, char **argv)
{
    bool quick = report_args(argc, argv, NULL).quick;
    struct hagg_err err = { 0 };
    struct scheme *ramp = scheme_open("ramp", &err);

    if (!ramp)
        report_die(&err);
    report_heading("share over 13, z = 6 / all computed");
    compare("m31", ramp, quick ? 3 : 21, quick ? 1000000 : 10000000);
    compare("m61", ramp, quick ? 3 : 21, quick ? 1000000 : 10000000);
    compare("gf256", ramp, quick ? 3 : 21, quick ? 1000000 : 10000000);
    scheme_free(ramp);
    return 0;
}
