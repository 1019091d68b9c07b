/*
 * plan.c - measures the time and the memory of hagg-plan for a topology.
 *   bench-plan TITLE TOPOLOGY
 */
#include <stdio.h>
#include <sys/resource.h>

#include "child.h"

#define MAX_SECONDS   10
#define MAX_MEGABYTES 500

static double seconds(const struct timeval *t)
{
    return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    const char *const command[] = { "hagg-plan", "-q", argc == 3 ? argv[2] : NULL, NULL };
    struct child child = { .argv = command };
    struct rusage used;
    double time, megabytes;

    if (argc != 3) {
        fprintf(stderr, "usage: bench-plan TITLE TOPOLOGY\n");
        return 2;
    }
    child_run(&child);
    getrusage(RUSAGE_CHILDREN, &used);
    time = seconds(&used.ru_utime) + seconds(&used.ru_stime);
    megabytes = (double)child.max_rss_kb / 1e3;
    printf("%-36s %8.2f s %8.1f MB    <= %d s, %d MB  %s\n", argv[1], time, megabytes, MAX_SECONDS,
           MAX_MEGABYTES, time <= MAX_SECONDS && megabytes <= MAX_MEGABYTES ? "ok" : "MISSED");
    return 0;
}
