/*
 * flow.h - what goes from one node of a network to another: the unit in which what was sent is held
 * against what was to be.
 */
#ifndef HAGG_COST_FLOW_H
#define HAGG_COST_FLOW_H

#include "header.h"

enum flow_what { FLOW_VECTORS, FLOW_KEYS, FLOW_TRANSFERS, N_FLOW_WHATS };

/* "vectors" */
const char *flow_what_name(enum flow_what what);

/* What records of this kind carry. */
enum flow_what flow_what_of(enum header_kind kind, enum header_secret secret);

/* Tiers by number, so that a flow is small: nobody, client, holder, station, relay, federator, and
 * then others in the order of their first coming. Begins all zero. */
#define FLOW_MAX_TIERS 64
struct flow_tiers {
    char names[FLOW_MAX_TIERS][LIMIT_TIER + 1];
    size_t n;
};

struct flow {
    uint32_t from, to; /* numbers in their tiers */
    uint8_t from_tier, to_tier, what;
};

/* HAGG_E_MALFORMED when there are too many tiers; no network has that many. */
int flow_of(struct flow *flow, struct flow_tiers *tiers, const struct header_node *from,
            const struct header_node *to, enum flow_what what, struct hagg_err *err);

/* By kind of link, what it carries, and the two nodes. */
int flow_compare(const struct flow *a, const struct flow *b);

/* Whether two flows are of one kind of link and carry the same. */
bool flow_is_alike(const struct flow *a, const struct flow *b);

#endif
