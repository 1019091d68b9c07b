/*
 * flow.h - who sends what to whom in a round of a plan, when some nodes are missing.
 */
#ifndef HAGG_ROUND_FLOW_H
#define HAGG_ROUND_FLOW_H

#include "links.h"
#include "plan.h"
#include "rangeset.h"

/* Who is there. The sets may be NULL: all clients take part, nobody is gone. */
struct flow_nodes {
    const struct rangeset *clients; /* that take part */
    const struct rangeset *stations_gone, *relays_gone;
};

/* Stations and relays count from 1; arrays by their number have a place 0 that nobody uses. */
struct flow {
    const struct plan *plan;
    struct flow_nodes nodes;
    bool *takes_part; /* by group of the topology: some of its clients do */
    /* links are between nodes that are there */
    struct links uploads;  /* of a client with a station: shares, keys or both */
    struct links received; /* of a station with a client */
    struct links forwards; /* of a station with a relay: sums or transfers */
    struct links gathered; /* of a relay with a station */
    bool *has_shares;      /* by station: of a client that takes part */
    bool *has_keys;        /* by station: whole keys, under partial collusion */
    bool *relay_sends;     /* by relay: something may go on to the federator */
    uint32_t *chain;       /* stations that keys pass, in order; none under full collusion */
    size_t n_chain;
    uint32_t chain_relay; /* through which the end of the chain goes; 0 without one or relays */
};

/* HAGG_E_USAGE for nodes that the plan has not, HAGG_E_TOO_FEW when the round cannot do without
 * those that are gone. Plan and sets must outlive the flow. */
int flow_new(struct flow *f, const struct plan *plan, const struct flow_nodes *nodes,
             struct hagg_err *err);

void flow_free(struct flow *f);

bool flow_has_client(const struct flow *f, uint32_t client);
bool flow_station_gone(const struct flow *f, uint32_t station);
bool flow_relay_gone(const struct flow *f, uint32_t relay);

#endif
