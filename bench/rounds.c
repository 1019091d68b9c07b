#include "rounds.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Long in comparison with reading the clocks and with the microseconds of rusage. */
#define MIN_SECONDS 0.005

static double clock_seconds(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double timeval_seconds(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double now(enum rounds_clock clock)
{
    struct rusage children;

    if (clock == ROUNDS_WALL)
        return clock_seconds(CLOCK_MONOTONIC);
    getrusage(RUSAGE_CHILDREN, &children);
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID) + timeval_seconds(children.ru_utime) +
           timeval_seconds(children.ru_stime);
}

static void time_side(struct rounds_side *side, size_t round)
{
    double cpu = now(ROUNDS_CPU), wall = now(ROUNDS_WALL);

    for (size_t i = 0; i < side->n_calls; i++)
        side->run(side->arg);
    wall = now(ROUNDS_WALL) - wall;
    cpu = now(ROUNDS_CPU) - cpu;
    side->seconds[ROUNDS_WALL][round] = wall / (double)side->n_calls;
    side->seconds[ROUNDS_CPU][round] = cpu / (double)side->n_calls;
}

/* Touches all memory once, and finds a number of calls that takes long enough. This is decided by
 * CPU time, because a pause caused by other work would end the search too early. */
static void warm_up(struct rounds_side *side)
{
    size_t asked = side->n_calls;

    side->n_calls = 1;
    time_side(side, 0);
    while (asked == 0 && side->seconds[ROUNDS_CPU][0] * (double)side->n_calls < MIN_SECONDS) {
        side->n_calls *= 2;
        time_side(side, 0);
    }
    if (asked > 0)
        side->n_calls = asked;
}

void rounds_run(struct rounds_side *sides, size_t n_sides, size_t n_rounds)
{
    for (size_t i = 0; i < n_sides; i++) {
        sides[i].n_rounds = n_rounds;
        warm_up(&sides[i]);
    }
    for (size_t round = 0; round < n_rounds; round++)
        for (size_t i = 0; i < n_sides; i++)
            time_side(&sides[i], round);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(const double *values, size_t n)
{
    double sorted[ROUNDS_MAX];

    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double rounds_seconds(const struct rounds_side *side, enum rounds_clock clock)
{
    return median(side->seconds[clock], side->n_rounds);
}

double rounds_ratio(const struct rounds_side *a, const struct rounds_side *b,
                    enum rounds_clock clock)
{
    double ratios[ROUNDS_MAX];

    for (size_t i = 0; i < a->n_rounds; i++)
        ratios[i] = a->seconds[clock][i] / b->seconds[clock][i];
    return median(ratios, a->n_rounds);
}
