/*
 * aggregate_totals.h - totals of masks, and sums of their shares, on their way along the stations
 * and to the federator.
 */
#ifndef HAGG_AGGREGATE_TOTALS_H
#define HAGG_AGGREGATE_TOTALS_H

#include "aggregate_state.h"

/* Where a total, or the sum of shares of totals, goes next. */
int aggregate_totals_forward(const struct aggregate *a, struct header *h, struct hagg_err *err);

/* Whether masks go on to stations now, and not towards the federator. */
int aggregate_totals_stay(const struct aggregate *a, bool *stay, struct hagg_err *err);

/* That a sum that is of masks holds those of all stations, unless it goes on to the next of them.
 * HAGG_E_TOO_FEW names a station whose masks have not come. */
int aggregate_totals_check(const struct aggregate *a, const struct aggregate_group *g,
                           struct hagg_err *err);

#endif
