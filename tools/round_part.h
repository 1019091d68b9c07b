/*
 * round_part.h - the options of hagg-round for the part of one node. The functions exit with a
 * usage error if a value is wrong.
 */
#ifndef HAGG_ROUND_PART_ARGS_H
#define HAGG_ROUND_PART_ARGS_H

#include "round_args.h"

/* Parses a time, such as "2026-02-06T06:00Z". */
void round_part_deadline(const struct argp_state *state, const char *arg, struct round_args *args);

/* Checks that the options for a part, and only those, are present. */
void round_part_check(const struct argp_state *state, const struct round_args *args);

#endif
