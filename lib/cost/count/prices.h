/*
 * prices.h - what it costs to send a symbol from one node to another.
 *
 * The price of a symbol is that of the kind of link, plus what its sender pays for sending, plus
 * what its receiver pays for receiving. Without price lines every symbol costs 1. All numbers are
 * multiples of 1 / prices_unit.
 */
#ifndef HAGG_COST_PRICES_H
#define HAGG_COST_PRICES_H

#include "protocol/node.h"
#include "topology/topology_prices.h"

/* No price exceeds three times RATIO_MOST. */
#define PRICES_MOST (3 * (uint64_t)RATIO_MOST)

static inline uint32_t prices_unit(const struct topology_prices *p)
{
    return p->unit > 0 ? p->unit : 1;
}

/* The kind of link between nodes of these tiers, which exists. */
enum topology_link prices_link(enum node_tier from, enum node_tier to);

/* Of links of this kind, without what nodes pay. */
uint64_t prices_of_link(const struct topology_prices *p, enum topology_link link);

/* What the node pays for a symbol that it sends, or receives. 0 for a node without a number. */
uint64_t prices_send(const struct topology_prices *p, struct node node);
uint64_t prices_receive(const struct topology_prices *p, struct node node);

/* The price of a symbol from one node to another, without couriers in between. */
uint64_t prices_hop(const struct topology_prices *p, struct node from, struct node to);

#endif
