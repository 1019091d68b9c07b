/*
 * plan_cost.h - what a round of a plan sends over each kind of link, in multiples of the vector.
 */
#ifndef HAGG_COST_PLAN_COST_H
#define HAGG_COST_PLAN_COST_H

#include <gmp.h>

#include "plan.h"

struct plan_cost {
    mpq_t clients_to_stations;
    mpq_t stations_to_stations;
    mpq_t stations_to_federator;
    mpq_t total;
    mpq_t bound; /* no protocol without relays sends less */
    size_t
        n_patterns; /* that stations forward sums of: of vectors and, under full collusion, keys */
};

/* Of the sets that the plan has chosen or, when whole is true, of all stations that each client
 * reaches. */
int plan_cost_new(struct plan_cost *cost, const struct plan *p, bool whole, struct hagg_err *err);

void plan_cost_free(struct plan_cost *cost);

#endif
