/*
 * node.h - a node of a round: its tier and its number.
 */
#ifndef HAGG_PROTOCOL_NODE_H
#define HAGG_PROTOCOL_NODE_H

#include "header.h"

enum node_tier { NODE_CLIENT, NODE_STATION, NODE_RELAY, NODE_FEDERATOR, N_NODE_TIERS };

struct node {
    enum node_tier tier;
    uint32_t number; /* from 1; the federator is number 1 */
};

#define NODE_THE_FEDERATOR ((struct node){ NODE_FEDERATOR, 1 })

/* Returns "station", for instance, as in records and messages. */
const char *node_tier_name(enum node_tier tier);

/* Converts a node to its form in a record header. */
struct header_node node_in_header(struct node node);

/* Returns true if the name in a record header is that of this node. */
bool node_is(const struct header_node *named, struct node node);

static inline bool node_equal(struct node a, struct node b)
{
    return a.tier == b.tier && a.number == b.number;
}

#endif
