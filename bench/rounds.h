/*
 * rounds.h - times several things side by side.
 *
 * Every round calls each side in turn, so a machine whose speed drifts drifts for all alike, and
 * what is compared is what happened within one round.
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
    size_t n_calls; /* of run in a round; 0: as many as make it long enough for the clocks */
    size_t n_rounds;
    double seconds[2][ROUNDS_MAX]; /* of one call, by clock and round */
};

/* Calls every side once untimed, then in n_rounds <= ROUNDS_MAX rounds. */
void rounds_run(struct rounds_side *sides, size_t n_sides, size_t n_rounds);

/* Median seconds of one call. */
double rounds_seconds(const struct rounds_side *side, enum rounds_clock clock);

/* Median over the rounds of a's time divided by b's; both were in one rounds_run. */
double rounds_ratio(const struct rounds_side *a, const struct rounds_side *b,
                    enum rounds_clock clock);

#endif
