/*
 * network.h - input of the planner for protocol aligned: who reaches which stations, and what a
 * symbol costs on each link.
 *
 * Clients with the same reach are a class: a group of a topology that was parsed to choose. A
 * client with v parts uses v + hidden stations. The shares of some of them are seeds, if the client
 * has computational privacy; seeds cost nothing.
 *
 * Prices are those of cost/count/prices.h, in its units; 1 without price lines. So a sum of prices
 * is at most 2^20 clients times 2^16 shares times 2^14 segments times 2^32, and fits in 128 bits
 * with another factor of 2^46: enough for a length, or for segments and chunks.
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
                            seeds */
    uint32_t *passed_on; /* by class: shares that a courier of a client passes on, without seeds */
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
    /* The price of a symbol from a client to a station, between stations, from a station towards
     * the federator, and from a relay to it, without what nodes pay. */
    uint64_t into, across, up, relay_up;
    const struct topology_node_price *pays; /* by station - 1: what it pays; NULL: all the same */
    const struct topology_node_price *relay_pays;
    bool receive_differs; /* true if stations pay different prices for receiving */
    /* Scratch of dealing.c, by station in use. */
    uint32_t *ranks;
    bool *deals;
};

typedef unsigned __int128 network_amount; /* a sum of prices */

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

static inline uint64_t network_send(const struct network *net, uint32_t station)
{
    return net->pays ? net->pays[station - 1].send : 0;
}

static inline uint64_t network_receive(const struct network *net, uint32_t station)
{
    return net->pays ? net->pays[station - 1].receive : 0;
}

/* The price of a row of the shares of all clients of a class with this part count. */
network_amount network_share_price(const struct network *net, uint32_t class,
                                   const uint32_t *stations, uint32_t parts);

/* The largest part count of a class. */
static inline uint32_t network_most_parts(const struct network *net, uint32_t class)
{
    return net->parts[network_reach(net, class)->n - net->hidden];
}

/* What is sent apart from masks: the price of rows, and that of whole vectors. */
struct network_sent {
    network_amount rows, vectors;
};

/* What relays send, and what they pay for receiving, for stations in use with these rows; 0 without
 * relays. relay, by station in use, combines and weights, by relay, are set as by
 * plan_relays_choose. */
struct network_sent network_relayed(const struct network *net, uint32_t n_segments,
                                    const uint32_t *stations, const uint32_t *rows, uint32_t n,
                                    uint32_t *relay, bool *combines, uint64_t *weights);

/* False if fewer segments have the same length, and so cost less. */
bool network_segments_are_useful(const struct network *net, uint32_t n_segments);

#endif
