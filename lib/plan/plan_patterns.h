/*
 * plan_patterns.h - the patterns of a plan: the distinct routes of its clients' sharings, from a
 * given tier on. The nodes of that tier add up shares with the same route.
 */
#ifndef HAGG_PLAN_PATTERNS_H
#define HAGG_PLAN_PATTERNS_H

#include "plan/plan.h"
#include "base/rangeset.h"

struct plan_patterns {
    struct plan_route *routes; /* from the tier on; a pattern is an index here */
    size_t n;
    size_t tier;
    uint32_t *of_group; /* by group of the topology: its pattern */
};

/* tier is 0 for stations and 1 for relays. With transform, relays add up only sharings that were
 * made from sharings with the same number of parts. The plan must outlive the patterns. */
int plan_patterns_new(struct plan_patterns *patterns, const struct plan *p, enum plan_what what,
                      size_t tier, struct hagg_err *err);

/* Returns the pattern of a share with this header, or n if there is none. */
size_t plan_patterns_find(const struct plan_patterns *patterns, const struct header *h);

/* With transform, checks that shares that stations add up are for the same relays. */
int plan_patterns_check_relays(const struct plan *p, struct hagg_err *err);

void plan_patterns_free(struct plan_patterns *patterns);

#endif
