/*
 * joint_offers.h - the ways to join two parts of a choice's graph (joint_parts.h), the cheapest
 * first.
 */
#ifndef HAGG_PLANNER_JOINT_OFFERS_H
#define HAGG_PLANNER_JOINT_OFFERS_H

#include "joint_parts.h"

/* One client goes to another group, which links two parts. */
struct joint_offer {
    uint32_t a, b; /* parts, a < b */
    double price;
    uint32_t client, group;
    unsigned side;
};

/* Two parts are joined by z + 1 of the offers first .. before end, whose clients are different; or,
 * when b is JOINT_PARTS_NONE, all clients of part a leave it on that side. */
struct joint_bundle {
    double price;
    uint32_t a, b;
    size_t first, end;
    unsigned side;
};

struct joint_offers {
    struct joint_parts *parts;
    struct joint_offer *offers;
    size_t n_offers, offers_room;
    struct joint_bundle *bundles; /* cheapest first */
    size_t n_bundles, bundles_room;
    uint32_t *cheapest[2]; /* where each client would go on that side, or JOINT_PARTS_NONE */

    uint32_t *order[2]; /* used groups of each side, cheapest first */
    uint32_t n_order[2];
    struct joint_leaving *leaving[2]; /* of each part */
};

/* The parts must outlive it. */
int joint_offers_new(struct joint_offers *o, struct joint_parts *parts, struct hagg_err *err);
void joint_offers_free(struct joint_offers *o);

/* For the parts as joint_parts_find has left them. */
int joint_offers_collect(struct joint_offers *o, struct hagg_err *err);

#endif
