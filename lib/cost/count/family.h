/*
 * family.h - random networks. The same seed gives the same network.
 */
#ifndef HAGG_COST_FAMILY_H
#define HAGG_COST_FAMILY_H

#include "cost/count/parameters.h"

/* Draws a topology. Each client reaches PARAMETER_REACH random stations or, if PARAMETER_REACH_MOST
 * is given, a random number up to that; each station reaches PARAMETER_RELAY_REACH random relays.
 * The protocol is aligned, or keys if the scheme is one of protocol keys. With aligned, segments
 * and dealers are not set. */
int family_draw(struct plan *plan, const struct parameters *p, struct hagg_err *err);

#endif
