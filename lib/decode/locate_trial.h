/*
 * locate_trial.h - finds wrong shares of any scheme, by trial: the shares that are left agree.
 *
 * Any k shares decode, so two sharings differ in more than n - k shares. If at most (n - k) / 2 are
 * wrong, they are the only ones without which the others agree.
 */
#ifndef HAGG_LOCATE_TRIAL_H
#define HAGG_LOCATE_TRIAL_H

#include "sharing/sharing.h"

/* values has the symbols of all n shares in one column, share by share, which do not agree. Sets
 * wrong, which has n entries, to the shares that are wrong. Returns 1; 0 if there are too many, or
 * if a search would take too long; -1 on failure. */
int locate_trial(const struct sharing *s, const void *values, bool *wrong, struct hagg_err *err);

#endif
