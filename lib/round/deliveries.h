/*
 * deliveries.h - who sends to whom in a round of a plan: the messages of lib/protocol by node, with
 * some nodes missing.
 */
#ifndef HAGG_ROUND_DELIVERIES_H
#define HAGG_ROUND_DELIVERIES_H

#include "round/links.h"
#include "protocol/protocol.h"

/* Stations and relays are numbered from 1; entry 0 of arrays by number is unused. */
struct deliveries {
    const struct plan *plan;
    struct protocol *round;
    struct links uploads;  /* client to station: shares, keys or both, also to be passed on */
    struct links received; /* station from client; the third node is the courier, or 0 */
    struct links passed;   /* courier from client; the third node is the receiver */
    struct links rerouted; /* client to courier, if that of the plan is missing */
    struct links forwards; /* station to relay: sums or transfers */
    struct links gathered; /* the reverse of forwards */
    struct links deals;    /* dealer to station: masks, also to itself */
    struct links dealt;    /* the reverse of deals */
    bool *has_shares;      /* by station */
    bool *sends_sum;       /* by station: to the federator */
    bool *has_keys;        /* by station: receives keys in the clear */
    bool *relay_sends;     /* by relay: sends a complete sum or the total of the keys */
    uint32_t *chain;       /* stations of the chain in order; none under full collusion */
    size_t n_chain;
    uint32_t chain_relay; /* to which the last station of the chain sends; 0: none */
};

/* HAGG_E_USAGE for missing nodes that the plan does not have. HAGG_E_TOO_FEW if the round is not
 * possible without the missing nodes. The plan and the sets of presence must outlive it. */
int deliveries_new(struct deliveries *d, const struct plan *plan,
                   const struct protocol_presence *presence, struct hagg_err *err);

void deliveries_free(struct deliveries *d);

#endif
