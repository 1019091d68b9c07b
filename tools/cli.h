/*
 * cli.h - functions common to all commands: parsing the command line, messages, standard output.
 */
#ifndef HAGG_CLI_H
#define HAGG_CLI_H

#include <argp.h>

#include "err.h"
#include "base/json.h"
#include "base/text.h"

/* Calls argp_parse with hagg's version, and exit status 2 for a usage error. Completes a command
 * line for a shell that asks: cli_complete.h. */
void cli_parse(const struct argp *argp, int argc, char **argv, void *args);

/* The version of hagg: "0.1.0". */
const char *cli_version(void);

/* For the option --json: from now on, messages are kept, and printed to standard error as one JSON
 * object on one line when the command ends: in cli_fail, or in cli_close_stdout. */
void cli_json_begin(void);

/* Returns the object, to add facts to it; NULL without --json. Only complete members may be added,
 * each name once, and nothing that is secret. */
struct json *cli_json(void);

/* Prints "COMMAND: text" to standard error. Returns the exit status. */
int cli_fail(const struct hagg_err *err);

/* Prints "COMMAND: text" to standard error, for a message that is not an error. */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The warning if a secret was written to a standard output that others can read. */
#define CLI_READABLE                                                                               \
    "warning: standard output is a file that others can read: use -o FILE, or umask 077"

/* Writes text to standard output and resets it. */
int cli_print(struct text *t, struct hagg_err *err);

/* Closes standard output, at the end of a command, and reports write errors. Returns the exit
 * status. */
int cli_close_stdout(void);

#endif
