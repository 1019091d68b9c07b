/*
 * messages.h - every message of a round of a plan: who sends what to whom, and how many symbols.
 *
 * They follow from the routes and patterns by which clients share and stations and relays add up,
 * so that what commands write can be held against them, record by record.
 */
#ifndef HAGG_COST_MESSAGES_H
#define HAGG_COST_MESSAGES_H

#include "plan.h"
#include "rangeset.h"

enum plan_link {
    LINK_CLIENT_STATION,
    LINK_STATION_STATION,
    LINK_STATION_RELAY,
    LINK_RELAY_RELAY,
    LINK_STATION_FEDERATOR,
    LINK_RELAY_FEDERATOR,
    N_LINKS,
};

struct plan_message {
    enum plan_link link;
    struct header_node from, to;
    enum header_secret secret;
    bool is_share;      /* or the secret as it is */
    bool is_transfer;   /* a share of a share, for relays that hold sharings of their own */
    uint64_t n_symbols; /* with the zeros that fill up parts */
    uint64_t num, den;  /* num / den of a vector, without them */
    bool may_lack;      /* it depends on a station or relay that is out */
};

/* Anything but 0 ends the enumeration, which then returns -1. */
typedef int plan_message_fn(void *arg, const struct plan_message *message, struct hagg_err *err);

/* Who takes part in a round. */
struct plan_presence {
    const struct rangeset *clients;         /* NULL: all of the plan */
    const struct rangeset *out[PLAN_TIERS]; /* stations and relays that broke down some time in the
                                               round; NULL: none */
};

/* Calls fn for each message of a round of vectors of length elements, the sample count included:
 * client by client, then sums of shares tier by tier, then whole keys, along the chain from the
 * first station that gets one. The plan is one of plan_load. */
int plan_messages_each(const struct plan *p, uint64_t length, plan_message_fn *fn, void *arg,
                       struct hagg_err *err);

/* The same when not all take part. What goes through any relay goes through the
 * first that is not out. */
int plan_messages_present(const struct plan *p, uint64_t length,
                          const struct plan_presence *presence, plan_message_fn *fn, void *arg,
                          struct hagg_err *err);

#endif
