/*
 * protocols.h - what the protocols of docs/theory.md send, from the sizes of their sets.
 */
#ifndef HAGG_COST_PROTOCOLS_H
#define HAGG_COST_PROTOCOLS_H

#include "cost/setsizes.h"
#include "cost/sheet.h"

/* Who shares over what. */
struct protocol_sets {
    struct setsizes stations;
    struct setsizes relays; /* with relays: the sets that sums go on to */
};

/* Of a plan's clients, what they share or, for PLAN_REACHES, all stations that they reach. */
int protocol_sets_of_plan(struct protocol_sets *sets, const struct plan *p, enum plan_what what,
                          struct hagg_err *err);

void protocol_sets_free(struct protocol_sets *sets);

/* Whether all sets have more members than may collude or be missing in the plan. */
bool protocol_sets_suffice(const struct protocol_sets *sets, const struct plan *p);

/* Of p they use the numbers of clients and nodes, the scheme, and the bounds on who colludes and is
 * missing; not its clients. length may be 0: symbols are then not counted. They only add to the
 * sheet. */

/* What clients send, shares and keys. Under partial collusion, as the plan has it, also the keys
 * from station to station to the federator; under full collusion keys are shared over the same
 * sets.
 */
int protocols_add_clients(struct sheet *sheet, const struct plan *p, uint64_t length,
                          const struct setsizes *shares, struct hagg_err *err);

/* Partial collusion, keys from station to station: C1, and C3 with relays. */
int protocols_client_keys(struct sheet *sheet, const struct plan *p, uint64_t length,
                          const struct protocol_sets *shares, struct hagg_err *err);

/* Full collusion, keys shared as vectors are: C2, with and without relays. */
int protocols_shared_keys(struct sheet *sheet, const struct plan *p, uint64_t length,
                          const struct protocol_sets *shares, const struct protocol_sets *keys,
                          struct hagg_err *err);

/* No keys, which is private when there is one pattern. */
int protocols_bare(struct sheet *sheet, const struct plan *p, uint64_t length,
                   const struct protocol_sets *shares, struct hagg_err *err);

#endif
