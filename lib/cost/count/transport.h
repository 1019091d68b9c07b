/*
 * transport.h - the cost of giving relays sharings of their own by transport: docs/theory.md,
 * transforming a sharing. No round uses it, so protocol.h has no stage for it. It is here for
 * comparison with the stages that it would replace.
 */
#ifndef HAGG_COST_TRANSPORT_H
#define HAGG_COST_TRANSPORT_H

#include "cost/count/numbers.h"

/* A round of a plan for partial collusion whose relays have sharings of their own. */
int transport_of_plan(struct sheet *sheet, const struct plan *p, uint64_t length,
                      struct hagg_err *err);

/* The same for a network given in numbers. */
int transport_of_numbers(struct sheet *sheet, const struct uniform *u, uint64_t length,
                         struct hagg_err *err);

#endif
