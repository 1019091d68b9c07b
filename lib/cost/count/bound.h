/*
 * bound.h - lower bounds on what every protocol must send that keeps the privacy of the plan:
 * information-theoretic, except for clients with computational privacy, which must only send their
 * vector once: docs/theory.md, section 9.
 */
#ifndef HAGG_COST_BOUND_H
#define HAGG_COST_BOUND_H

#include <gmp.h>

#include "cost/count/setsizes.h"

/* reach: how many clients reach how many stations. least_relays: the smallest number of relays that
 * a client with information-theoretic privacy reaches through its stations; 0 without relays. Sets
 * that are too small to be private are not counted. */
void bound_of_sizes(mpq_t bound, const struct setsizes *reach, uint32_t least_relays,
                    const struct topology *t);

/* The bound for the clients of a plan; its chosen sets do not matter. */
int bound_of_plan(mpq_t bound, const struct plan *p, struct hagg_err *err);

/* The sharper bound for the clients of a plan, the optimum of a linear program. It is from low to
 * high, both exact; low itself is a lower bound. The two are equal if the optimum was found. tiers
 * may be NULL; otherwise it is set to what stations and relays send at least. */
int bound_sharper(mpq_t low, mpq_t high, mpq_t tiers[PLAN_TIERS], const struct plan *p,
                  struct hagg_err *err);

#endif
