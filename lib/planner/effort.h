/*
 * effort.h - how long a planner searches: the same seed and level give the same plan, unless the
 * time limit cuts it short.
 */
#ifndef HAGG_PLANNER_EFFORT_H
#define HAGG_PLANNER_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"

/* Levels are 1 (quick) to EFFORT_MOST (thorough); each searches four times longer. */
#define EFFORT_DEFAULT 3
#define EFFORT_MOST    9

struct effort {
    unsigned level;
    uint64_t random;           /* state; set to the seed at the start */
    double until;              /* seconds of the monotonic clock, 0: no limit */
    struct progress *progress; /* NULL: nobody looks */
    bool cut_short;            /* the time limit was reached */
    struct effort_stage {
        const uint64_t *counter;  /* NULL: no stage is under way */
        uint64_t first, most;     /* of the counter */
        uint64_t share, reported; /* of the progress */
    } stage;
};

/* seconds 0: no limit. The progress, which may be NULL, then counts no bytes. */
void effort_start(struct effort *e, unsigned level, uint64_t seed, double seconds,
                  struct progress *progress);

/* Steps that a search at this level may take, when level EFFORT_DEFAULT takes so many. */
uint64_t effort_budget(const struct effort *e, uint64_t by_default);

/* Those of them that the level below does not take. A search that goes through the levels from 1 to
 * its own, and does at each what does not depend on those above, never ends worse with more effort.
 */
uint64_t effort_more(const struct effort *e, uint64_t by_default);

/* Whether to go on: false from when the time limit is reached. Reports how far the stage is. Looks
 * at the clock at each call, so call it once in some thousand steps. */
bool effort_may_continue(struct effort *e);

/* A stage begins, which is so much of the progress that was expected, and goes on while *counter
 * grows by most, or about that. Stages do not overlap. */
void effort_begin_stage(struct effort *e, uint64_t share, const uint64_t *counter, uint64_t most);

/* Reports what is left of its share. The counter is not looked at any more. */
void effort_end_stage(struct effort *e);

/* A number below n, n at least 1. */
uint32_t effort_random(struct effort *e, uint32_t n);

#endif
