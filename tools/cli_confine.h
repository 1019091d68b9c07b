/*
 * cli_confine.h - what commands that read records or hold secrets give up before they read
 * anything. See hagg(7), "Confinement".
 */
#ifndef HAGG_CLI_CONFINE_H
#define HAGG_CLI_CONFINE_H

#include "cli_options.h"

/* Confines the command to its outputs and its state directory. Does nothing if the variable
 * HAGG_NO_CONFINEMENT is 1, or in a build for sanitizers or coverage. */
void cli_confine(const struct cli_options *o);

#endif
