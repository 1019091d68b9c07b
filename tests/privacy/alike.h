/*
 * alike.h - whether colluders can tell apart inputs that they must not tell apart, by counting out
 * what they see of a tabulated instance.
 */
#ifndef PRIVACY_ALIKE_H
#define PRIVACY_ALIKE_H

#include "sight.h"

/* Pairs of inputs that must not be told apart, and are not, or are. */
struct alike {
    size_t n_same, n_other;
};

/* What colluding clients have and draw has nothing to do with what the others draw, and is held at
 * one value. 1 when there are too many views to tell them by numbers, -1 without memory. */
int alike_count(const struct instance *in, const struct sight_observer *who, struct alike *a);

#endif
