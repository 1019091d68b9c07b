/*
 * family.h - networks drawn at random, the same ones from the same seed.
 */
#ifndef HAGG_COST_FAMILY_H
#define HAGG_COST_FAMILY_H

#include "cost/count/parameters.h"

/* A topology in which each client reaches as many stations as the parameters say, or a number up to
 * PARAMETER_REACH_MOST, and each station as many relays, all of them drawn at random. */
int family_draw(struct plan *plan, const struct parameters *p, struct hagg_err *err);

#endif
