#include "cli_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "cli.h"

#define BAR_WIDTH 40

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) * 1e-9;
}

static void show(struct progress *progress)
{
    struct cli_progress *p = (struct cli_progress *)progress;
    double part = progress->total > 0 ? (double)progress->done / (double)progress->total : 0;
    int filled;

    if (seconds_since(&p->start) < 1 || seconds_since(&p->last) < 0.2)
        return;
    clock_gettime(CLOCK_MONOTONIC, &p->last);
    filled = part > 1 ? BAR_WIDTH : (int)(part * BAR_WIDTH);
    fprintf(stderr, "\r[%.*s%*s] %3.0f%%", filled, "########################################",
            BAR_WIDTH - filled, "", part > 1 ? 100 : part * 100);
    if (progress->in_bytes)
        fprintf(stderr, " %.0f MB", (double)progress->done / 1e6);
    fflush(stderr);
    p->shown = true;
}

struct progress *cli_progress_begin(struct cli_progress *p, enum cli_progress_mode mode)
{
    *p = (struct cli_progress){ .progress = { .in_bytes = true, .show = show } };
    if (cli_json() || mode == CLI_PROGRESS_OFF ||
        (mode == CLI_PROGRESS_AUTO && !isatty(STDERR_FILENO)))
        return NULL;
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->last = (struct timespec){ 0 };
    return &p->progress;
}

void cli_progress_end(struct cli_progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r%*s\r", BAR_WIDTH + 24, "");
    p->shown = false;
}
