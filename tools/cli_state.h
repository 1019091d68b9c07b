/*
 * cli_state.h - opens the state directory that the options and the environment name.
 */
#ifndef HAGG_CLI_STATE_H
#define HAGG_CLI_STATE_H

#include "base/text.h"
#include "cli_options.h"
#include "state/state.h"

/* Returns the state; NULL on failure. */
struct state *cli_state_open(const struct cli_options *o, struct hagg_err *err);

/* Prints the path of the directory that is named by the argument or, if that is NULL, by the
 * environment; nothing if there is none. Returns true if it is the default one. */
bool cli_state_find(const char *directory, struct text *path);

/* Opens the directory that is named by the argument or, if that is NULL, by the environment. */
struct state *cli_state_open_directory(const char *directory, struct hagg_err *err);

/* Prints a note if the directory is new, or if nothing was remembered, and frees the state, which
 * may be NULL. */
void cli_state_close(struct state *s);

#endif
