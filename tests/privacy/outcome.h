/*
 * outcome.h - going through the outcomes of a tabulated instance.
 */
#ifndef PRIVACY_OUTCOME_H
#define PRIVACY_OUTCOME_H

#include "view.h"

/* The inputs of all clients together are numbered from 0 to the product of their numbers. */
size_t outcome_count_inputs(const struct instance *in);
void outcome_set_inputs(const struct instance *in, size_t number, struct view_outcome *o);

/* The next points of the clients that are not fixed, a bit each; false when all were there. */
bool outcome_next_points(const struct instance *in, unsigned fixed, struct view_outcome *o);

/* What the observer may know of the inputs, as a number: those of colluders, and to the federator
 * the sum of the others. */
size_t outcome_class(const struct instance *in, const struct observer *who, size_t inputs);

/* Runs the outcome for real, clients only where they do something else than before, which may be
 * NULL. HAGG_E_MISMATCH unless all sums are as computed and the total is right. */
int outcome_is_real(const struct instance *in, const struct view_outcome *o,
                    const struct view_outcome *before, struct hagg_err *err);

#endif
