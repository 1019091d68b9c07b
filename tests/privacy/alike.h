/*
 * alike.h - decides whether colluders can distinguish inputs that they must not distinguish, by
 * enumerating everything that they can see of a tabulated instance.
 */
#ifndef PRIVACY_ALIKE_H
#define PRIVACY_ALIKE_H

#include "sight.h"

/* Numbers of pairs of inputs that must not be distinguishable: those that are not, and those that
 * are. */
struct alike {
    size_t n_same, n_other;
};

/* The inputs and random values of colluding clients are independent of those of the others and are
 * fixed at one value. Returns 1 if there are too many views to number them, -1 if memory is short.
 */
int alike_count(const struct instance *in, const struct sight_observer *who, struct alike *a);

#endif
