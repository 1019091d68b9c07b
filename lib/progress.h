/*
 * progress.h - how far a long work has come. The library counts; whoever started it shows.
 */
#ifndef HAGG_PROGRESS_H
#define HAGG_PROGRESS_H

#include <stdint.h>

struct progress {
    uint64_t done, total; /* in bytes; total may grow while the work goes on */
    void (*show)(struct progress *p);
};

/* NULL: nobody looks. Called from the thread that started the work. */
static inline void progress_expect(struct progress *p, uint64_t bytes)
{
    if (p)
        p->total += bytes;
}

static inline void progress_add(struct progress *p, uint64_t bytes)
{
    if (!p)
        return;
    p->done += bytes;
    p->show(p);
}

#endif
