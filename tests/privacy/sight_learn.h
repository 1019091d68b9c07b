/*
 * sight_learn.h - what colluders learn from what they see, by the linear forms of forms.h.
 */
#ifndef PRIVACY_SIGHT_LEARN_H
#define PRIVACY_SIGHT_LEARN_H

#include "forms.h"
#include "sight.h"

/* How many symbols of the vectors of the others, with *knows_sum as in forms_learn; SIZE_MAX when
 * there are more forms than there is room for. */
size_t sight_learn(const struct instance *in, const struct forms_units *units,
                   const struct sight_observer *who, bool *knows_sum);

#endif
