#include "round/part.h"

#include "round/node_name.h"

static enum step_tier tier_of(const struct node *node)
{
    static const enum step_tier tiers[] = {
        [NODE_CLIENT] = STEP_CLIENT,
        [NODE_STATION] = STEP_STATION,
        [NODE_RELAY] = STEP_RELAY,
        [NODE_FEDERATOR] = STEP_FEDERATOR,
    };

    return tiers[node->tier];
}

bool part_has(const struct round_options *o, enum step_tier tier, uint32_t node)
{
    return !o->node || (tier == tier_of(o->node) && node == o->node->number);
}

bool part_has_clients(const struct round_options *o)
{
    return !o->node || o->node->tier == NODE_CLIENT;
}

struct node_name part_home(const struct round_options *o)
{
    return node_name_home(tier_of(o->node), o->node->number);
}

int part_check(const struct round_options *o, const struct deliveries *d, struct hagg_err *err)
{
    const struct node *node = o->node;
    struct plan_client client;

    if (!node || node->tier == NODE_FEDERATOR)
        return 0;
    if (node->tier == NODE_CLIENT
            ? plan_client(o->plan, node->number, &client, err)
            : plan_check_nodes(o->plan, node->tier == NODE_STATION ? node->number : 0,
                               node->tier == NODE_RELAY ? node->number : 0, err))
        return -1;
    if (protocol_has(d->round, *node))
        return 0;
    return err_set(err, HAGG_E_USAGE, "%s: %s does not take part in this round", o->plan->name,
                   part_home(o).text);
}
