/*
 * variant.h - a variant of a plan: with another protocol, for the other kind of collusion, over all
 * stations that clients reach, or with computational privacy.
 */
#ifndef HAGG_COST_VARIANT_H
#define HAGG_COST_VARIANT_H

#include "plan/plan.h"

struct variant {
    bool aligned; /* protocol aligned, or else keys */
    bool full;    /* full collusion, or else partial */
    bool whole;   /* over all stations that a client reaches; protocol keys: only without relays */
    bool transform; /* protocol keys: relays have sharings of their own, over all relays that all
                       stations of a set reach; or else the relays of the plan */
    bool computational; /* all clients and dealers send drawn shares as seeds; or else as in the
                           plan */
};

/* The sets of keys are those of the plan if it is for the same kind of collusion; otherwise, and
 * with whole under full collusion, the default. The same applies to segments and dealers: they are
 * those of the plan if the sets are, and for dealers also the kind of collusion. Borrows from p,
 * which must outlive it. Only use it with sheet_add_round and functions that read sets. Free it
 * with variant_free. With protocol aligned, HAGG_E_MALFORMED or HAGG_E_PRIVACY if there is no such
 * variant: too few stations, or too few points in the field. */
int variant_new(struct plan *other, const struct plan *p, struct variant v, struct hagg_err *err);

void variant_free(struct plan *other);

/* Protocol keys: true if all sets have more members than may collude or be missing, the scheme
 * supports them, and couriers are possible where they are needed. */
bool variant_suffices(const struct plan *other);

/* True if the plan specifies the stations of its clients. */
bool variant_is_chosen(const struct plan *p);

#endif
