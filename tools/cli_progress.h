/*
 * cli_progress.h - shows on standard error how far a long work has come.
 */
#ifndef HAGG_CLI_PROGRESS_H
#define HAGG_CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

#include "base/progress.h"

enum cli_progress_mode { CLI_PROGRESS_AUTO, CLI_PROGRESS_ON, CLI_PROGRESS_OFF };

struct cli_progress {
    struct progress progress; /* first, so that one is the other */
    struct timespec start, last;
    bool shown;
};

/* What the library is to count bytes with, NULL for nothing: by default only when standard error is
 * a terminal, and then nothing is shown in the first second. */
struct progress *cli_progress_begin(struct cli_progress *p, enum cli_progress_mode mode);

/* Clears the line. Before any message. */
void cli_progress_end(struct cli_progress *p);

#endif
