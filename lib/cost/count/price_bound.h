/*
 * price_bound.h - lower bounds on the price of every protocol that keeps the privacy of the plan,
 * in multiples of the price of a vector on a link of price 1: docs/theory.md, section 9. With all
 * prices 1 they are the bounds of bound.h.
 */
#ifndef HAGG_COST_PRICE_BOUND_H
#define HAGG_COST_PRICE_BOUND_H

#include <gmp.h>

#include "plan/plan.h"

/* For the clients of a plan; its chosen sets do not matter. tiers is NULL, or what stations and
 * relays send at least, from bound_sharper: then the bound is sharper. */
int price_bound_of_plan(mpq_t bound, const struct plan *p, mpq_t tiers[PLAN_TIERS],
                        struct hagg_err *err);

/* For a network without prices of nodes in which each client reaches `reach` stations and all
 * relays. */
void price_bound_of_numbers(mpq_t bound, const struct topology *t, uint32_t reach);

#endif
