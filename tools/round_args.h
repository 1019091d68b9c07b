/*
 * round_args.h - the command line of hagg-round.
 */
#ifndef HAGG_ROUND_ARGS_H
#define HAGG_ROUND_ARGS_H

#include <sys/types.h>

#include "cli_options.h"
#include "round/emit.h"

/* Initialise to all zero, except inbox. */
struct round_args {
    struct cli_options common;
    struct round_options round;
    int (*emit)(const struct round *r, struct text *out, struct hagg_err *err);
    bool dot;         /* True to draw the round instead. */
    struct node node; /* for round.node */
    struct rangeset clients, stations_gone, relays_gone;
    const char *prepare; /* NULL: write a round */
    mode_t inbox;
};

extern const struct argp round_argp;

#endif
