/*
 * effort.h - limits how long a planner searches. The same seed and level give the same plan, unless
 * the time limit is reached.
 */
#ifndef HAGG_PLANNER_EFFORT_H
#define HAGG_PLANNER_EFFORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"

/* Levels are 1 (quick) to EFFORT_MOST (thorough). Each level searches four times longer than the
 * one below. */
#define EFFORT_DEFAULT 3
#define EFFORT_MOST    9

struct effort {
    unsigned level;
    uint64_t random;           /* generator state; initially the seed */
    double until;              /* deadline in seconds of the monotonic clock; 0: none */
    struct progress *progress; /* NULL: not reported */
    bool cut_short;            /* true after the time limit was reached */
    struct effort_stage {
        const uint64_t *counter;  /* NULL: no stage is active */
        uint64_t first, most;     /* counter: value at the start, expected growth */
        uint64_t share, reported; /* progress: of the whole stage, reported so far */
    } stage;
};

/* seconds 0 means no limit. progress may be NULL; otherwise it is switched from bytes to plain
 * counts and must outlive e. */
void effort_start(struct effort *e, unsigned level, uint64_t seed, double seconds,
                  struct progress *progress);

/* The number of steps for this level, given the number for level EFFORT_DEFAULT. */
uint64_t effort_budget(const struct effort *e, uint64_t by_default);

/* The steps of this level beyond those of the level below. A search that runs all levels from 1 to
 * its own, none of which depends on a later level, never gets worse with more effort. */
uint64_t effort_more(const struct effort *e, uint64_t by_default);

/* Returns false once the time limit is reached. Also reports the progress of the stage. Reads the
 * clock at each call, so call it once every few thousand steps. */
bool effort_may_continue(struct effort *e);

/* Begins a stage that accounts for share units of the expected progress. It is complete when
 * *counter has grown by about most. counter must stay valid until effort_end_stage. Stages do not
 * overlap. */
void effort_begin_stage(struct effort *e, uint64_t share, const uint64_t *counter, uint64_t most);

/* Reports the rest of the stage's share. The counter is not read again. */
void effort_end_stage(struct effort *e);

/* A uniform number below n; n is at least 1. Not for secrets. */
uint32_t effort_random(struct effort *e, uint32_t n);

#endif
