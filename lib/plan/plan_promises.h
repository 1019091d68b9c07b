/*
 * plan_promises.h - the random vectors that promises about more stations need: "tolerate 1/4 at 3"
 * in hagg-topology(5).
 *
 * This is the only place where their number is determined. docs/audit.md, "Promises", has the
 * reasons.
 */
#ifndef HAGG_PLAN_PROMISES_H
#define HAGG_PLAN_PROMISES_H

#include "plan/plan_patterns.h"

/* Writes the random vectors of a block for each class of clients, for vectors of that many
 * segments, or of any number that the part counts divide if it is 0. Without promises these are the
 * stations that may collude. Each class has enough stations for the last promise. */
int plan_promises_randoms(uint32_t *randoms, const struct plan_patterns *classes,
                          const struct plan *p, uint32_t segments, struct hagg_err *err);

#endif
