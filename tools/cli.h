/*
 * cli.h - what every command does alike: parse its line, report, end.
 */
#ifndef HAGG_CLI_H
#define HAGG_CLI_H

#include <argp.h>

#include "err.h"
#include "base/text.h"

/* argp with hagg's version and exit status 2 for a wrong line, in which case it does not return. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *args);

/* "COMMAND: text" on standard error. Returns the exit status. */
int cli_fail(const struct hagg_err *err);

/* "COMMAND: text" on standard error, about something that went well. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes text to standard output and empties it. */
int cli_print(struct text *t, struct hagg_err *err);

/* The last thing a command does: what could not be written is an error and not a loss. */
int cli_close_stdout(void);

#endif
