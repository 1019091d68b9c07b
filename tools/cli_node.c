#include "cli_node.h"

#include <string.h>

#include "cli_complete.h"
#include "cli_options.h"

struct node cli_node_parse(const struct argp_state *state, const char *option, const char *arg)
{
    static const char *const nodes[] = { "client=", "station=", "relay=", "federator", NULL };
    size_t n = strcspn(arg, "=");

    if (cli_complete_offer(nodes, false))
        return NODE_THE_FEDERATOR;
    if (strcmp(arg, node_tier_name(NODE_FEDERATOR)) == 0)
        return NODE_THE_FEDERATOR;
    for (int i = 0; i < NODE_FEDERATOR; i++) {
        const char *tier = node_tier_name((enum node_tier)i);

        if (arg[n] && strlen(tier) == n && strncmp(arg, tier, n) == 0)
            return (struct node){
                (enum node_tier)i,
                (uint32_t)cli_options_number(state, option, arg + n + 1, 1, LIMIT_NUMBER),
            };
    }
    argp_error(state,
               "%s must be client=NUMBER, station=NUMBER, relay=NUMBER or federator, not '%s'",
               option, arg);
    return NODE_THE_FEDERATOR;
}
