/*
 * rounds.h - times several functions side by side.
 *
 * Every round calls each side in turn, and only times of the same round are compared. So a drift of
 * the machine's speed affects all sides equally.
 */
#ifndef BENCH_ROUNDS_H
#define BENCH_ROUNDS_H

#include <stddef.h>

#define ROUNDS_MAX 101

enum rounds_clock {
    ROUNDS_CPU, /* of this process and of the children it has waited for */
    ROUNDS_WALL,
};

struct rounds_side {
    void (*run)(void *arg);
    void *arg;
    size_t n_calls; /* of run in a round; 0: enough for the resolution of the clocks */
    size_t n_rounds;
    double seconds[2][ROUNDS_MAX]; /* of one call, by clock and round */
};

/* Calls every side once without timing it, then times n_rounds <= ROUNDS_MAX rounds. */
void rounds_run(struct rounds_side *sides, size_t n_sides, size_t n_rounds);

/* Median of the seconds of one call. */
double rounds_seconds(const struct rounds_side *side, enum rounds_clock clock);

/* Median over the rounds of the time of a divided by that of b, both from the same rounds_run. */
double rounds_ratio(const struct rounds_side *a, const struct rounds_side *b,
                    enum rounds_clock clock);

#endif
