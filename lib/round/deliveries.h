/*
 * deliveries.h - who delivers to whom in a round of a plan: the messages of lib/protocol, node by
 * node, when some nodes are missing.
 */
#ifndef HAGG_ROUND_DELIVERIES_H
#define HAGG_ROUND_DELIVERIES_H

#include "round/links.h"
#include "protocol/protocol.h"

/* Stations and relays count from 1; arrays by their number have a place 0 that nobody uses. */
struct deliveries {
    const struct plan *plan;
    struct protocol *round;
    struct links uploads;  /* of a client with a station: shares, keys or both */
    struct links received; /* of a station with a client */
    struct links forwards; /* of a station with a relay: sums or transfers */
    struct links gathered; /* of a relay with a station */
    bool *has_shares;      /* by station */
    bool *has_keys;        /* by station: keys in the clear */
    bool *relay_sends;     /* by relay: a complete sum, or the total of the keys */
    uint32_t *chain;       /* stations that keys pass, in order; none under full collusion */
    size_t n_chain;
    uint32_t chain_relay; /* through which the end of the chain goes; 0 without one or relays */
};

/* HAGG_E_USAGE for nodes that the plan does not have, HAGG_E_TOO_FEW when the round cannot do
 * without those that are out. Plan and sets must outlive it. */
int deliveries_new(struct deliveries *d, const struct plan *plan,
                   const struct protocol_presence *presence, struct hagg_err *err);

void deliveries_free(struct deliveries *d);

#endif
