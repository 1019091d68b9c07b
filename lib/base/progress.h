/*
 * progress.h - progress of a long operation. The library counts; the command displays.
 */
#ifndef HAGG_PROGRESS_H
#define HAGG_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    uint64_t done, total; /* total may grow during the operation */
    bool in_bytes;        /* True if they count bytes; otherwise only done / total is meaningful. */
    void (*show)(struct progress *p);
};

/* p may be NULL: nothing is displayed. Both functions are called only from the thread that started
 * the operation. */
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
