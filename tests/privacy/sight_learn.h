/*
 * sight_learn.h - computes what colluders learn from what they see, with the linear forms of
 * forms.h.
 */
#ifndef PRIVACY_SIGHT_LEARN_H
#define PRIVACY_SIGHT_LEARN_H

#include "forms.h"
#include "sight.h"

/* The number of symbols of the vectors of the others, with *knows_sum as in forms_learn; SIZE_MAX
 * if there are too many forms. */
size_t sight_learn(const struct instance *in, const struct forms_units *units,
                   const struct sight_observer *who, bool *knows_sum);

#endif
