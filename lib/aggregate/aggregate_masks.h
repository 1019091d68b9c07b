/*
 * aggregate_masks.h - a station's masks in an aggregation: added to the sums that it sends on, and
 * their total on its way along the stations.
 */
#ifndef HAGG_AGGREGATE_MASKS_H
#define HAGG_AGGREGATE_MASKS_H

#include "aggregate_state.h"

/* NULL is fine. */
void aggregate_masks_free(struct aggregate_masks *m);

/* Remembers a record that is added as it comes, for what the masks are used for. */
int aggregate_masks_note(struct aggregate_masks *m, const struct reader *r, struct hagg_err *err);

/* That nothing leaves without a mask that should have one, and that the masks are there. Works out
 * their total where it is asked for: under partial collusion it becomes one of the sums. */
int aggregate_masks_prepare(struct aggregate *a, struct hagg_err *err);

/* Whether there is a total of this station's to share among the stations. */
bool aggregate_masks_spreads(const struct aggregate *a);

/* Claims the masks for these sums and this set of clients, and adds them to the sums.
 * HAGG_E_PRIVACY when they were used for others. */
int aggregate_masks_apply(struct aggregate *a, struct hagg_err *err);

/* Writes the shares of the total, if it is to be shared. */
int aggregate_masks_spread(struct aggregate *a, struct outset *out, struct hagg_err *err);

/* Whether a sum is of this secret. */
bool aggregate_masks_has(const struct aggregate *a, enum header_secret secret);

#endif
