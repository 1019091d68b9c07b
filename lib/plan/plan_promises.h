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

/* Checks the promises for vectors of `length` elements. A vector is filled up with zeros to a
 * multiple of the segments; whoever knows them knows more of the rest. HAGG_E_PRIVACY if more than
 * a promise plus a hundredth of it is learnt. */
int plan_promises_check_length(const struct plan *p, const struct plan_patterns *classes,
                               const uint32_t *randoms, uint64_t length, struct hagg_err *err);

/* Returns true if zeros are less than a hundredth of such a vector of so many segments. */
bool plan_promises_fill_little(uint64_t length, uint32_t segments);

/* Sets the bits of a value and of an element: the logarithms of how many there are. */
void plan_promises_bits(const struct plan *p, double *of_value, double *of_element);

#endif
