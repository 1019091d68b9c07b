/*
 * quantize.c - compares the speed of the quantisers with that of 16 bits rounded to the nearest,
 * and stochastic rounding also with the random bytes that it takes.
 */
#include <stdlib.h>

#include "report.h"
#include "rounds.h"
#include "vector/quantize.h"

/* The values fit in the second-level cache, as those of a block of hagg-share do. */
#define N_VALUES 16384
#define N_TIMES  400

struct task {
    struct header_quant quant;
    struct random *random;
    double *values;
    int64_t *ints;
};

static void quantise(void *arg)
{
    struct task *t = arg;
    struct hagg_err err;

    for (int i = 0; i < N_TIMES; i++)
        if (quantize_values(&t->quant, t->ints, t->values, N_VALUES, 0, t->random, NULL, &err))
            report_die(&err);
}

static void draw(void *arg)
{
    struct task *t = arg;
    struct hagg_err err;

    for (int i = 0; i < N_TIMES; i++)
        if (random_bytes(t->random, t->ints, N_VALUES * sizeof(uint32_t), &err))
            report_die(&err);
}

static const struct line {
    const char *name;
    struct header_quant quant;
} lines[] = {
    { "bits=16 stochastic", { .bits = 16, .clip = 1, .rounding = HEADER_STOCHASTIC } },
    { "levels=16", { .levels = 16, .clip = 1 } },
    { "levels=16 stochastic", { .levels = 16, .clip = 1, .rounding = HEADER_STOCHASTIC } },
    { "ternary", { .levels = 3, .clip = 1, .rounding = HEADER_STOCHASTIC } },
    { "sign", { .levels = 2, .clip = 1, .rounding = HEADER_SIGN } },
    { "bits=53", { .bits = 53, .clip = 1 } },
};

static void compare(const char *name, struct rounds_side ours, struct rounds_side peer,
                    size_t n_rounds)
{
    struct rounds_side sides[] = { ours, peer };
    double values = (double)N_VALUES * N_TIMES;

    rounds_run(sides, 2, n_rounds);
    report_speed(name, "Gv/s", (struct report_work){ &sides[0], values },
                 (struct report_work){ &sides[1], values }, 0);
}

int main(int argc, char **argv)
{
    size_t n_rounds = report_args(argc, argv, NULL).quick ? 3 : 21;
    struct hagg_err err = { .text = "no memory" };
    struct task peer = {
        .quant = { .bits = 16, .clip = 1 },
        .random = random_new(&err),
        .values = calloc(N_VALUES, sizeof *peer.values),
        .ints = calloc(N_VALUES, sizeof *peer.ints),
    };
    struct task ours = peer;

    if (!peer.random || !peer.values || !peer.ints)
        report_die(&err);
    for (size_t i = 0; i < N_VALUES; i++)
        peer.values[i] = (double)(i * 40503 % N_VALUES) / N_VALUES * 2 - 1;
    report_heading("quantisers / bits=16 nearest");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        ours.quant = lines[i].quant;
        compare(lines[i].name, (struct rounds_side){ .run = quantise, .arg = &ours },
                (struct rounds_side){ .run = quantise, .arg = &peer }, n_rounds);
    }
    ours.quant = lines[0].quant;
    compare("  / its random bytes", (struct rounds_side){ .run = quantise, .arg = &ours },
            (struct rounds_side){ .run = draw, .arg = &peer }, n_rounds);
    random_free(peer.random);
    free(peer.values);
    free(peer.ints);
    return 0;
}
