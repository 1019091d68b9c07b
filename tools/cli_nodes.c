#include "cli_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli_complete.h"

void cli_nodes_parse(const struct argp_state *state, const char *option, const char *arg,
                     struct cli_nodes *nodes)
{
    static const char *const all[] = { "all", NULL };

    if (cli_complete_offer(all, false))
        return;
    if (cli_nodes_given(nodes))
        argp_error(state, "%s was given twice: give one set, for instance 1-5,7", option);
    nodes->all = strcmp(arg, all[0]) == 0;
    if (!nodes->all)
        cli_options_distinct(state, option, arg, &nodes->set);
}

bool cli_nodes_given(const struct cli_nodes *nodes)
{
    return nodes->all || nodes->set.n > 0;
}

static int add(struct cli_nodes *nodes, size_t *capacity, uint32_t number, struct hagg_err *err)
{
    if (ARRAY_RESERVE(nodes->numbers, nodes->n + 1, *capacity))
        return err_errno(err, "no memory for a set of nodes");
    nodes->numbers[nodes->n++] = number;
    return 0;
}

/* Adds the numbers of the set. They are checked first, because a range may be very long. */
static int add_set(struct cli_nodes *nodes, const struct plan *plan, bool clients,
                   struct hagg_err *err)
{
    struct plan_client client;
    size_t capacity = 0;

    for (size_t i = 0; i < nodes->set.n; i++)
        for (uint64_t u = nodes->set.ranges[i].first; u <= nodes->set.ranges[i].last; u++)
            if ((clients ? plan_client(plan, (uint32_t)u, &client, err)
                         : plan_check_nodes(plan, (uint32_t)u, 0, err)) ||
                add(nodes, &capacity, (uint32_t)u, err))
                return -1;
    return 0;
}

int cli_nodes_clients(struct cli_nodes *nodes, const struct plan *plan, struct hagg_err *err)
{
    const struct topology *t = &plan->topology;
    size_t capacity = 0;

    if (!nodes->all)
        return add_set(nodes, plan, true, err);
    for (size_t i = 0; i < t->n_clients; i++)
        if (add(nodes, &capacity, t->clients[i].number, err))
            return -1;
    return 0;
}

int cli_nodes_dealers(struct cli_nodes *nodes, const struct plan *plan, struct hagg_err *err)
{
    const struct topology_list *dealers = &plan->topology.dealers;
    size_t capacity = 0;

    if (!nodes->all)
        return add_set(nodes, plan, false, err);
    for (size_t i = 0; i < dealers->n; i++)
        if (add(nodes, &capacity, dealers->numbers[i], err))
            return -1;
    return 0;
}

void cli_nodes_free(struct cli_nodes *nodes)
{
    rangeset_free(&nodes->set);
    free(nodes->numbers);
    *nodes = (struct cli_nodes){ 0 };
}
