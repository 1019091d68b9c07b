/*
 * cli_progress.h - displays the progress of a long operation on standard error.
 */
#ifndef HAGG_CLI_PROGRESS_H
#define HAGG_CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

#include "base/progress.h"

enum cli_progress_mode { CLI_PROGRESS_AUTO, CLI_PROGRESS_ON, CLI_PROGRESS_OFF };

struct cli_progress {
    struct progress progress; /* must be first: it is cast to the struct cli_progress */
    struct timespec start, last;
    bool shown;
};

/* Returns the progress to pass to the library, or NULL to display nothing. In mode AUTO progress is
 * displayed only if standard error is a terminal, and not in the first second. With --json nothing
 * is displayed. */
struct progress *cli_progress_begin(struct cli_progress *p, enum cli_progress_mode mode);

/* Clears the line. Call it before printing any message. */
void cli_progress_end(struct cli_progress *p);

#endif
