/*
 * flow.h - identifies what is sent from one node of a network to another. Predicted and sent
 * records are compared flow by flow.
 */
#ifndef HAGG_COST_FLOW_H
#define HAGG_COST_FLOW_H

#include "header.h"

enum flow_what { FLOW_VECTORS, FLOW_KEYS, FLOW_TRANSFERS, FLOW_MASKS, N_FLOW_WHATS };

/* "vectors" */
const char *flow_what_name(enum flow_what what);

/* The content of records of this kind. */
enum flow_what flow_what_of(enum header_kind kind, enum header_secret secret);

/* Numbers the tiers, so that a flow is small: nobody, client, holder, station, relay, federator,
 * and then others in order of first appearance. Initially all zero. */
#define FLOW_MAX_TIERS 64
struct flow_tiers {
    char names[FLOW_MAX_TIERS][LIMIT_TIER + 1];
    size_t n;
};

struct flow {
    uint32_t from, to; /* numbers in their tiers */
    uint8_t from_tier, to_tier, what;
};

/* HAGG_E_MALFORMED if there are too many tiers; no network has that many. */
int flow_of(struct flow *flow, struct flow_tiers *tiers, const struct header_node *from,
            const struct header_node *to, enum flow_what what, struct hagg_err *err);

/* Orders flows by kind of link, content, and the two nodes. */
int flow_compare(const struct flow *a, const struct flow *b);

/* True if two flows have the same kind of link and the same kind of content. */
bool flow_is_alike(const struct flow *a, const struct flow *b);

#endif
