/*
 * plan_masks.h - masks of stations: which stations mask, and how they pass on the total of their
 * masks. docs/station-masks.md says why.
 */
#ifndef HAGG_PLAN_MASKS_H
#define HAGG_PLAN_MASKS_H

#include "plan.h"
#include "rangeset.h"
#include "reader.h"

/* Whether the plan, with whatever sets, may have masks of stations: HAGG_E_MALFORMED names what
 * stands against it. Asks for what a topology without masks of stations would have to meet, too. */
int plan_masks_allowed(const struct plan *p, struct hagg_err *err);

/* That the chosen sets go with masks, if the plan says masks stations; sets p->masked. */
int plan_masks_settle(struct plan *p, struct hagg_err *err);

/* Whether there is something to mask: not if the federator gets one pattern only, whose sum it may
 * know. what is PLAN_SHARES or PLAN_REACHES. */
int plan_masks_needed(const struct plan *p, enum plan_what what, bool *needed,
                      struct hagg_err *err);

/* The stations that mask: those that get shares of a client, or of one in the set unless it is
 * NULL. Adds them to stations. */
int plan_masks_stations(const struct plan *p, enum plan_what what, const struct rangeset *among,
                        struct rangeset *stations, struct hagg_err *err);

/* Full collusion: how a station's total is shared, among all stations. */
int plan_masks_shape(const struct plan *p, uint32_t *z, struct hagg_scheme_shape *shape,
                     struct hagg_err *err);
int plan_masks_sharing(const struct plan *p, struct sharing *s, struct hagg_err *err);

/* Under masks stations, that the record that the reader stands at is of a secret that the plan
 * gives rise to; of a total of masks, also that its stations, its sharing and its addressee are
 * right. */
int plan_masks_check_record(const struct plan *p, const struct reader *r, struct hagg_err *err);

#endif
