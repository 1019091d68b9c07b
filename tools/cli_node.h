/*
 * cli_node.h - options that name one node: "client=3", "federator".
 */
#ifndef HAGG_CLI_NODE_H
#define HAGG_CLI_NODE_H

#include <argp.h>

#include "protocol/node.h"

/* Parses the value of an option. Exits with a usage error if it is wrong. */
struct node cli_node_parse(const struct argp_state *state, const char *option, const char *arg);

#endif
