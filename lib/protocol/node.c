#include "protocol/node.h"

#include <stdio.h>
#include <string.h>

const char *node_tier_name(enum node_tier tier)
{
    static const char *const names[N_NODE_TIERS] = {
        [NODE_CLIENT] = "client",
        [NODE_STATION] = "station",
        [NODE_RELAY] = "relay",
        [NODE_FEDERATOR] = "federator",
    };

    return names[tier];
}

struct header_node node_in_header(struct node node)
{
    struct header_node named = { .number = node.number };

    snprintf(named.tier, sizeof named.tier, "%s", node_tier_name(node.tier));
    return named;
}

bool node_is(const struct header_node *named, struct node node)
{
    return named->number == node.number && strcmp(named->tier, node_tier_name(node.tier)) == 0;
}
