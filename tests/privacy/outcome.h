/*
 * outcome.h - enumerates the outcomes of a tabulated instance.
 */
#ifndef PRIVACY_OUTCOME_H
#define PRIVACY_OUTCOME_H

#include "view.h"

/* The combined inputs of all clients are numbered from 0 to the product of their numbers minus
 * one. */
size_t outcome_count_inputs(const struct instance *in);
void outcome_set_inputs(const struct instance *in, size_t number, struct view_outcome *o);

/* Advances to the next points of the clients that are not fixed (one bit each); false after the
 * last. */
bool outcome_next_points(const struct instance *in, unsigned fixed, struct view_outcome *o);

/* What the observer may know about the inputs, as a number: the inputs of colluders and, for the
 * federator, the sum of the others. */
size_t outcome_class(const struct instance *in, const struct observer *who, size_t inputs);

/* Runs the outcome with the real commands; clients run only if they differ from those of before,
 * which may be NULL. HAGG_E_MISMATCH unless all sums are as computed and the total is correct. */
int outcome_is_real(const struct instance *in, const struct view_outcome *o,
                    const struct view_outcome *before, struct hagg_err *err);

#endif
