/*
 * plan_cost.h - the cost of a round of a plan by kind of link, in multiples of the vector.
 */
#ifndef HAGG_COST_PLAN_COST_H
#define HAGG_COST_PLAN_COST_H

#include <gmp.h>

#include "cost/count/sheet.h"

struct plan_cost {
    mpq_t links[N_LINKS];
    mpq_t total;
    mpq_t bound;        /* no protocol sends less */
    bool has_prices;    /* the topology has price lines, and: */
    mpq_t price;        /* in multiples of the vector on a link of price 1 */
    mpq_t symbol_price; /* of n_symbols and of seeds; 0 without a length */
    mpq_t price_bound;  /* no protocol has a lower price */
    bool in_part;       /* shares are sent in part if all nodes take part */
    mpz_t n_symbols;    /* of vectors of the plan's length, with everything rounded up; 0 without
                           a length */
    mpz_t n_seeds;      /* of SHEET_SEED_BYTES each, which are not in the numbers above */
    size_t n_patterns;  /* of which the federator receives sums: of vectors and, under full
                           collusion, of keys */
};

/* All zero. */
void plan_cost_init(struct plan_cost *cost);

/* For the chosen sets of the plan or, if whole is true, as if each client shared over all stations
 * it reaches. whole is for plans without relays. */
int plan_cost_new(struct plan_cost *cost, const struct plan *p, bool whole, struct hagg_err *err);

void plan_cost_free(struct plan_cost *cost);

/* Returns a number below, equal to or above 0 if a is cheaper than, as expensive as or dearer than
 * b: by symbols if both have them, otherwise by multiples of the vector; with prices, first by
 * the price of either. */
int plan_cost_compare(const struct plan_cost *a, const struct plan_cost *b);

/* "clients to stations" */
const char *plan_cost_link_name(enum topology_link link);

#endif
