/*
 * deadline.h - a time on the monotonic clock after which a long operation stops.
 */
#ifndef HAGG_DEADLINE_H
#define HAGG_DEADLINE_H

#include <stdbool.h>
#include <time.h>

static inline double deadline_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A deadline of 0 never passes. */
static inline bool deadline_passed(double deadline)
{
    return deadline > 0 && deadline_now() >= deadline;
}

#endif
