#include "planner/effort.h"

#include <time.h>

#include "base/splitmix.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void effort_start(struct effort *e, unsigned level, uint64_t seed, double seconds,
                  struct progress *progress)
{
    *e = (struct effort){
        .level = level,
        .random = seed,
        .until = seconds > 0 ? now() + seconds : 0,
        .progress = progress,
    };
    if (progress)
        progress->in_bytes = false;
}

uint64_t effort_budget(const struct effort *e, uint64_t by_default)
{
    if (e->level >= EFFORT_DEFAULT)
        return by_default << 2 * (e->level - EFFORT_DEFAULT);
    return by_default >> 2 * (EFFORT_DEFAULT - e->level);
}

uint64_t effort_more(const struct effort *e, uint64_t by_default)
{
    struct effort below = { .level = e->level - 1 };

    return effort_budget(e, by_default) - (below.level > 0 ? effort_budget(&below, by_default) : 0);
}

static void report(struct effort *e, uint64_t done)
{
    struct effort_stage *s = &e->stage;

    if (done > s->share)
        done = s->share;
    if (done > s->reported)
        progress_add(e->progress, done - s->reported);
    s->reported = done;
}

void effort_begin_stage(struct effort *e, uint64_t share, const uint64_t *counter, uint64_t most)
{
    e->stage = (struct effort_stage){ counter, *counter, most, share, 0 };
}

void effort_end_stage(struct effort *e)
{
    report(e, e->stage.share);
    e->stage = (struct effort_stage){ 0 };
}

bool effort_may_continue(struct effort *e)
{
    const struct effort_stage *s = &e->stage;

    if (e->progress && s->counter && s->most > 0)
        report(e,
               (uint64_t)((double)(*s->counter - s->first) / (double)s->most * (double)s->share));
    if (e->until > 0 && !e->cut_short)
        e->cut_short = now() > e->until;
    return !e->cut_short;
}

uint32_t effort_random(struct effort *e, uint32_t n)
{
    return splitmix_below(&e->random, n);
}
