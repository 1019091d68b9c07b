/*
 * cli.h - functions common to all commands: parsing the command line, messages, standard output.
 */
#ifndef HAGG_CLI_H
#define HAGG_CLI_H

#include <argp.h>

#include "err.h"
#include "base/text.h"

/* Calls argp_parse with hagg's version, and exit status 2 for a usage error. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *args);

/* Prints "COMMAND: text" to standard error. Returns the exit status. */
int cli_fail(const struct hagg_err *err);

/* Prints "COMMAND: text" to standard error, for a message that is not an error. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes text to standard output and resets it. */
int cli_print(struct text *t, struct hagg_err *err);

/* Closes standard output, at the end of a command, and reports write errors. Returns the exit
 * status. */
int cli_close_stdout(void);

#endif
