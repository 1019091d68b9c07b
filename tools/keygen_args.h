/*
 * keygen_args.h - the command line of hagg-keygen.
 */
#ifndef HAGG_KEYGEN_ARGS_H
#define HAGG_KEYGEN_ARGS_H

#include "cli_nodes.h"
#include "cli_options.h"

/* Initialise to all zero. */
struct keygen_args {
    struct cli_options common;
    uint64_t length;
    uint32_t station;
    uint32_t relay; /* for a key pair */
    bool federator; /* for a key pair */
    bool all;       /* True for the key pairs of all nodes of the plan. */
    struct cli_nodes clients, stations;
};

extern const struct argp keygen_argp;

/* Returns true with --clients or --stations. */
bool keygen_args_many(const struct keygen_args *args);

/* Returns true if masks are made, not keys. */
bool keygen_args_dealing(const struct keygen_args *args);

#endif
