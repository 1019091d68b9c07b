/*
 * plan_cost.h - what a round of a plan sends over each kind of link, in multiples of the vector.
 */
#ifndef HAGG_COST_PLAN_COST_H
#define HAGG_COST_PLAN_COST_H

#include <gmp.h>

#include "cost/count/sheet.h"

struct plan_cost {
    mpq_t links[N_LINKS];
    mpq_t total;
    mpq_t bound;       /* no protocol sends less */
    size_t n_patterns; /* that the federator gets sums of: of vectors and, under full collusion,
                          keys */
};

/* Of the sets that the plan has chosen or, when whole is true, of all stations that each client
 * reaches, which is for plans without relays. */
int plan_cost_new(struct plan_cost *cost, const struct plan *p, bool whole, struct hagg_err *err);

void plan_cost_free(struct plan_cost *cost);

/* "clients to stations" */
const char *plan_cost_link_name(enum sheet_link link);

#endif
