/*
 * share_args.h - the command line of hagg-share.
 */
#ifndef HAGG_SHARE_ARGS_H
#define HAGG_SHARE_ARGS_H

#include "cli_nodes.h"
#include "cli_options.h"
#include "share/client.h"

/* Initialise to all zero. */
struct share_args {
    struct cli_options common;
    struct client_options client;
    struct cli_nodes clients; /* --clients */
    struct rangeset missing;
    const char *field, *scheme, *quantize, *samples_file;
    bool has_z, has_digest, quiet;
    uint8_t digest[HEADER_PLAN_BYTES];
    const char *file;
};

extern const struct argp share_argp;

#endif
