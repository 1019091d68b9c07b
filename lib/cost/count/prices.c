#include "cost/count/prices.h"

enum topology_link prices_link(enum node_tier from, enum node_tier to)
{
    if (from == NODE_CLIENT)
        return LINK_CLIENT_STATION;
    if (from == NODE_STATION)
        return to == NODE_STATION ? LINK_STATION_STATION
               : to == NODE_RELAY ? LINK_STATION_RELAY
                                  : LINK_STATION_FEDERATOR;
    return to == NODE_RELAY ? LINK_RELAY_RELAY : LINK_RELAY_FEDERATOR;
}

uint64_t prices_of_link(const struct topology_prices *p, enum topology_link link)
{
    return p->unit > 0 ? p->links[link] : 1;
}

/* NULL if the node pays nothing. */
static const struct topology_node_price *find(const struct topology_prices *p, struct node node)
{
    int kind = node.tier == NODE_STATION ? TOPOLOGY_PRICED_STATIONS : TOPOLOGY_PRICED_RELAYS;

    if ((node.tier != NODE_STATION && node.tier != NODE_RELAY) || !p->nodes[kind] ||
        node.number == 0)
        return NULL;
    return &p->nodes[kind][node.number - 1];
}

uint64_t prices_send(const struct topology_prices *p, struct node node)
{
    const struct topology_node_price *price = find(p, node);

    return price ? price->send : 0;
}

uint64_t prices_receive(const struct topology_prices *p, struct node node)
{
    const struct topology_node_price *price = find(p, node);

    return price ? price->receive : 0;
}

uint64_t prices_hop(const struct topology_prices *p, struct node from, struct node to)
{
    return prices_of_link(p, prices_link(from.tier, to.tier)) + prices_send(p, from) +
           prices_receive(p, to);
}
