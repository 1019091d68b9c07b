/*
 * bound.h - what every protocol must send: docs/theory.md, costs.
 */
#ifndef HAGG_COST_BOUND_H
#define HAGG_COST_BOUND_H

#include <gmp.h>

#include "setsizes.h"

/* From how many stations clients reach and, with relays, the fewest relays that one of them reaches
 * through its stations; 0 without relays. Sets that are too small to be private count nothing. */
void bound_of_sizes(mpq_t bound, const struct setsizes *reach, uint32_t least_relays,
                    const struct topology *t);

/* Of the clients of a plan, whatever it has chosen. */
int bound_of_plan(mpq_t bound, const struct plan *p, struct hagg_err *err);

/* The fewest relays that a client of the plan reaches through its stations, but more than collude;
 * 0 when there is none. */
int bound_least_relays(uint32_t *least, const struct plan *p, struct hagg_err *err);

/* r(m, z) = m / (m - z); m is greater than z. */
void bound_rate(mpq_t rate, uint64_t m, uint64_t z);

#endif
