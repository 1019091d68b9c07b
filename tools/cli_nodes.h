/*
 * cli_nodes.h - options that name several nodes: "1-5,7", or "all".
 */
#ifndef HAGG_CLI_NODES_H
#define HAGG_CLI_NODES_H

#include "cli_options.h"

/* Initialise to all zero. */
struct cli_nodes {
    bool all;
    struct rangeset set;
    uint32_t *numbers; /* ascending, once the plan is known */
    size_t n;
};

/* Parses the value of an option. Exits with a usage error if it is wrong or names a node twice. */
void cli_nodes_parse(const struct argp_state *state, const char *option, const char *arg,
                     struct cli_nodes *nodes);

/* Returns true if the option was given. */
bool cli_nodes_given(const struct cli_nodes *nodes);

/* Finds the numbers of the clients, or of the dealers, of which a plan may have none. HAGG_E_USAGE
 * if the plan does not have one that is named; for dealers, that is found later. */
int cli_nodes_clients(struct cli_nodes *nodes, const struct plan *plan, struct hagg_err *err);
int cli_nodes_dealers(struct cli_nodes *nodes, const struct plan *plan, struct hagg_err *err);

void cli_nodes_free(struct cli_nodes *nodes);

#endif
