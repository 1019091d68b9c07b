/*
 * plan_patterns.h - the patterns of a plan: the different ways that its clients' sharings take from
 * a tier on. Whoever works there adds up what goes the same way.
 */
#ifndef HAGG_PLAN_PATTERNS_H
#define HAGG_PLAN_PATTERNS_H

#include "plan/plan.h"
#include "base/rangeset.h"

struct plan_patterns {
    struct plan_route *routes; /* n of them, from the tier on, in the order of plan_patterns_find */
    size_t n;
    size_t tier;
    uint32_t *of_group; /* by group of the topology */
};

/* From tier 0, the stations, or 1, the relays, on. Relays with sharings of their own add up those
 * that were made from sharings of as many parts. The plan must outlive them. */
int plan_patterns_new(struct plan_patterns *patterns, const struct plan *p, enum plan_what what,
                      size_t tier, struct hagg_err *err);

/* The pattern that a share with this header belongs to, or n when there is none. */
size_t plan_patterns_find(const struct plan_patterns *patterns, const struct header *h);

/* Where relays hold sharings of their own: that what stations add up is for the same relays. */
int plan_patterns_check_relays(const struct plan *p, struct hagg_err *err);

void plan_patterns_free(struct plan_patterns *patterns);

#endif
