/*
 * network.h - input of the planner for protocol aligned: who reaches which stations, and what a
 * choice of sets costs.
 *
 * Clients with the same reach are a class: a group of a topology that was parsed to choose. A
 * client with v parts uses v + hidden stations. The shares of some of them are seeds, if the client
 * has computational privacy; seeds cost nothing.
 */
#ifndef HAGG_PLANNER_NETWORK_H
#define HAGG_PLANNER_NETWORK_H

#include "plan/plan.h"

struct network {
    const struct topology *topology;
    uint32_t n_stations; /* numbered from 1 */
    uint32_t n_classes;
    uint64_t *weight;    /* by class: number of clients */
    uint32_t *beyond;    /* by class: shares that a client sends in addition to its parts, without
                            seeds; those that a courier passes on count twice */
    bool has_couriers;   /* true if some clients have couriers, who were chosen before */
    uint32_t hidden;     /* stations that may collude, plus those that may be missing */
    uint32_t colluding;  /* stations that may collude */
    uint32_t fewest;     /* stations in use by all clients together */
    uint32_t most_parts; /* of any class */
    uint32_t *parts;     /* by number: the largest part count up to it that may be used, so that
                            a record never has too many different ones */
    uint32_t default_segments; /* of a topology without a plan; 0 if it cannot be used */
    uint32_t most_segments;    /* that the field, the length and the format allow */
    bool may_combine;          /* true if relays may combine sums */
    uint64_t length;           /* of vectors with their sample counts; 0 if it is not known */
};

/* The topology of p was parsed to choose, for protocol aligned. HAGG_E_MALFORMED if the field has
 * too few points. */
int network_new(struct network *net, const struct plan *p, uint32_t default_segments,
                struct hagg_err *err);

void network_free(struct network *net);

/* The stations that the clients of a class reach, ascending. */
static inline const struct topology_list *network_reach(const struct network *net, uint32_t class)
{
    return topology_reach(&net->topology->groups[class]);
}

/* The largest part count of a class. */
static inline uint32_t network_most_parts(const struct network *net, uint32_t class)
{
    return net->parts[network_reach(net, class)->n - net->hidden];
}

/* What relays send: rows of sums that they pass on, and vectors that they combine, which have no
 * zeros to fill up a last segment. */
struct network_relayed {
    uint64_t rows, vectors;
};

/* For stations in use with these rows; 0 without relays. relay, by station in use, combines and
 * weights, by relay, are set as by plan_relays_choose. */
struct network_relayed network_relayed(const struct network *net, uint32_t n_segments,
                                       const uint32_t *stations, const uint32_t *rows, uint32_t n,
                                       uint32_t *relay, bool *combines, uint64_t *weights);

/* False if fewer segments have the same length, and so cost less. */
bool network_segments_are_useful(const struct network *net, uint32_t n_segments);

#endif
