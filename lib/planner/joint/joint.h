/*
 * joint.h - full collusion: chooses two patterns for each client, one for its padded vector and one
 * for its key, so that the graph of patterns and clients is private (collusion.h) and the cost is
 * small.
 */
#ifndef HAGG_PLANNER_JOINT_H
#define HAGG_PLANNER_JOINT_H

#include "plan/collusion.h"
#include "planner/cover/cover.h"

struct joint {
    size_t n_patterns;
    uint64_t *patterns; /* n_patterns sets, all different; used for shares, keys or both */
    uint32_t *shares;   /* the pattern of each client's padded vector */
    uint32_t *keys;     /* the pattern of each client's key */
    double cost;        /* of clients and patterns; a pattern used on both sides counts twice */
    double bound;       /* no private choice costs less */
    bool proved;        /* true if cost is proved to be the least of all private choices */
};

/* The cheapest private choice that the effort finds; the caller frees it. HAGG_E_PRIVACY if there
 * is none or none was found; the message states which, the reason, and what would help. name is the
 * name of the topology and clients has the numbers of the clients, both for messages. */
int joint_find(const struct instance *in, enum collusion_condition condition, struct effort *e,
               const char *name, const struct topology_client *clients, struct joint *j,
               struct hagg_err *err);

void joint_free(struct joint *j);

#endif
