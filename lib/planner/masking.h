/*
 * masking.h - what masks of stations cost beside the sets that are chosen, and who should mask.
 */
#ifndef HAGG_PLANNER_MASKING_H
#define HAGG_PLANNER_MASKING_H

#include "cover.h"
#include "planner.h"

/* One pattern for all kinds, over the stations that all of them reach: then nothing has to be
 * masked. 1; 0 when these are too few for a sharing; -1. */
int masking_meet(const struct instance *in, struct cover *c, struct hagg_err *err);

/* No plan with masks of stations costs less than *bound times the vector, given that no choice of
 * sets costs less than cover_bound. For plans without relays. */
int masking_bound(const struct plan *p, const struct instance *in, double cover_bound,
                  struct effort *effort, double *bound, struct hagg_err *err);

/* Whether the one with masks is cheaper, and why in words, of at most size bytes. */
int masking_compare(const struct plan *with_keys, const struct plan *with_masks, bool *masks,
                    char *why, size_t size, struct hagg_err *err);

#endif
