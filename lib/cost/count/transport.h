/*
 * transport.h - what it costs that relays get sharings of their own by transport: docs/theory.md,
 * transforming a sharing. No round does that, so protocol.h has no stage for it; it is here to be
 * compared with the stages that it takes the place of.
 */
#ifndef HAGG_COST_TRANSPORT_H
#define HAGG_COST_TRANSPORT_H

#include "cost/count/numbers.h"

/* A round of a plan for partial collusion, whose relays hold sharings of their own. */
int transport_of_plan(struct sheet *sheet, const struct plan *p, uint64_t length,
                      struct hagg_err *err);

/* The same of a network in numbers. */
int transport_of_numbers(struct sheet *sheet, const struct uniform *u, uint64_t length,
                         struct hagg_err *err);

#endif
