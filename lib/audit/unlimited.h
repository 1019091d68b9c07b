/*
 * unlimited.h - what is private whatever the computing power of a coalition, in a plan with seeds:
 * docs/audit.md, "Seeds".
 *
 * Privacy is information-theoretic against a coalition if it does not depend on its computing
 * power, and computational if the coalition must not be able to distinguish expansions of unknown
 * seeds from random elements. The former is decided for a coalition that knows the seeds of
 * everybody.
 */
#ifndef HAGG_UNLIMITED_H
#define HAGG_UNLIMITED_H

#include "audit/audit.h"
#include "audit/model_build.h"

/* Clients of the same kind: their privacy is computational against the same coalitions. These are
 * the coalitions with a station of `computed` and, unless `key_computed` is empty, a station of
 * that; if federator is true, those with the federator or a relay; and if carried is true, those
 * with a courier. */
struct unlimited_kind {
    struct rangeset clients;
    struct rangeset computed;     /* stations that get a share of the vector that is no seed */
    struct rangeset key_computed; /* the same for keys that are shared */
    struct rangeset couriers;     /* stations that pass on records of these clients */
    bool carried;                 /* couriers pass on shares that are no seeds, under seal */
    bool federator;
};

/* Initialise to all zero. */
struct unlimited {
    bool open;              /* premises do not hold: nothing is known about coalitions */
    bool has_couriers;      /* some client has */
    uint32_t fewest;        /* clients of a total for which what is claimed must hold: see below */
    uint64_t minimum;       /* of the plan that would ensure this; 0 if every total has so many */
    bool few_missing;       /* True if what is claimed about totals depends on who is missing: it */
    uint32_t most_missing;  /* holds if at most so many are, in addition. */
    struct rangeset proved; /* privacy is information-theoretic against all that bounds allow */
    struct unlimited_kind *kinds; /* the other clients, in order of their first client */
    size_t n_kinds, max_kinds;
};

/* m is from model_build_sums, of a plan with seeds. Clients whose privacy is computational against
 * a coalition count as colluding with it. So a total must have `fewest` other clients: two more
 * than may collude. The caller frees *u, also if it fails. */
int unlimited_new(struct unlimited *u, const struct model *m, const struct audit_bounds *bounds,
                  struct hagg_err *err);

void unlimited_free(struct unlimited *u);

/* Returns true if the privacy of these clients is information-theoretic against coalitions with
 * these nodes of m. */
bool unlimited_holds(const struct unlimited_kind *k, const struct model *m, const bool *nodes);

/* Checks by elimination what u claims against a coalition of m, or of another model of the same
 * plan. all is from model_build_unlimited. Returns 1 if it is right: the coalition, together with
 * all clients for which nothing is claimed, and with all seeds, learns no more than it may; 0 if it
 * is wrong; -1 on failure. */
int unlimited_check(const struct unlimited *u, const struct model *all, const struct model *m,
                    const struct coalition *who, struct hagg_err *err);

#endif
