/*
 * variant.h - a plan as it might be instead: for the other kind of collusion, over all stations
 * that clients reach, or with relays that hold sharings of their own.
 */
#ifndef HAGG_COST_VARIANT_H
#define HAGG_COST_VARIANT_H

#include "plan/plan.h"

struct variant {
    bool full;      /* against full collusion, or else partial */
    bool whole;     /* over all stations that a client reaches: for plans without relays */
    bool transform; /* relays hold sharings of their own, all that all stations of a set reach; or
                       else they are the plan's */
};

/* Keys are the plan's if it is for the same kind of collusion; otherwise, and when whole sets are
 * shared over, as if the plan did not say. Borrows from p, which must outlive it; only
 * sheet_add_round and what asks for sets may see it. Free it with variant_free. */
int variant_new(struct plan *other, const struct plan *p, struct variant v, struct hagg_err *err);

void variant_free(struct plan *other);

/* Whether all sets have more members than may collude or be missing. */
bool variant_suffices(const struct plan *other);

#endif
