/*
 * effort.h - how long a planner searches: the same seed and level give the same plan, unless the
 * time limit cuts it short.
 */
#ifndef HAGG_PLANNER_EFFORT_H
#define HAGG_PLANNER_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

#include "progress.h"

#define EFFORT_DEFAULT                                                                             \
    3 /* of 1 (quick) .. 9 (thorough); every level searches four times longer                      \
       */
#define EFFORT_MOST 9

struct effort {
    unsigned level;
    uint64_t random;           /* state; set to the seed at the start */
    double until;              /* seconds of the monotonic clock, 0: no limit */
    struct progress *progress; /* NULL: nobody looks */
    bool cut_short;            /* the time limit was reached */
};

/* seconds 0: no limit. */
void effort_start(struct effort *e, unsigned level, uint64_t seed, double seconds,
                  struct progress *progress);

/* Steps that a search at this level may take, when level EFFORT_DEFAULT takes so many. */
uint64_t effort_budget(const struct effort *e, uint64_t by_default);

/* Whether to go on: false from when the time limit is reached. Looks at the clock at each call, so
 * call it once in some thousand steps. */
bool effort_goes_on(struct effort *e);

/* A number below n, n at least 1. */
uint32_t effort_random(struct effort *e, uint32_t n);

#endif
