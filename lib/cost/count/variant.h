/*
 * variant.h - a variant of a plan: for the other kind of collusion, over all stations that clients
 * reach, or with relays that have sharings of their own.
 */
#ifndef HAGG_COST_VARIANT_H
#define HAGG_COST_VARIANT_H

#include "plan/plan.h"

struct variant {
    bool full;      /* full collusion, or else partial */
    bool whole;     /* over all stations that a client reaches; only for plans without relays */
    bool transform; /* relays have sharings of their own, over all relays that all stations of a
                       set reach; or else the relays of the plan */
};

/* A variant always has protocol keys. The sets of keys are those of the plan if it is for the same
 * kind of collusion; otherwise, and with whole under full collusion, the default. Borrows from p,
 * which must outlive it. Only use it with sheet_add_round and functions that read sets. Free it
 * with variant_free. */
int variant_new(struct plan *other, const struct plan *p, struct variant v, struct hagg_err *err);

void variant_free(struct plan *other);

/* True if all sets have more members than may collude or be missing. */
bool variant_suffices(const struct plan *other);

#endif
