/*
 * bound.h - what every protocol must send: docs/theory.md, costs.
 */
#ifndef HAGG_COST_BOUND_H
#define HAGG_COST_BOUND_H

#include <gmp.h>

#include "cost/count/setsizes.h"

/* From how many stations clients reach and, with relays, the fewest relays that one of them reaches
 * through its stations; 0 without relays. Sets that are too small to be private count nothing. */
void bound_of_sizes(mpq_t bound, const struct setsizes *reach, uint32_t least_relays,
                    const struct topology *t);

/* Of the clients of a plan, whatever it has chosen. */
int bound_of_plan(mpq_t bound, const struct plan *p, struct hagg_err *err);

#endif
