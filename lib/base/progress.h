/*
 * progress.h - how far a long work has come. The library counts; whoever started it shows.
 */
#ifndef HAGG_PROGRESS_H
#define HAGG_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint64_t done, total; /* total may grow while the work goes on */
    bool in_bytes;        /* what they count; otherwise only done / total means something */
    void (*show)(struct progress *p);
};

/* NULL: nobody looks. Called from the thread that started the work. */
static inline void progress_expect(struct progress *p, uint64_t more)
{
    if (p)
        p->total += more;
}

static inline void progress_add(struct progress *p, uint64_t more)
{
    if (!p)
        return;
    p->done += more;
    p->show(p);
}

#endif
