/*
 * plan_patterns.h - the patterns of a plan: the different lists of stations that its clients share
 * over.
 */
#ifndef HAGG_PLAN_PATTERNS_H
#define HAGG_PLAN_PATTERNS_H

#include "plan.h"

enum plan_what {
    PLAN_SHARES,  /* of the vectors */
    PLAN_KEYS,    /* under full collusion */
    PLAN_REACHES, /* all stations that a client reaches, whatever was chosen */
};

struct plan_patterns {
    const struct topology_list **lists; /* n of them, in the order of plan_patterns_find */
    size_t n;
    uint32_t *of_group; /* by group of the topology */
};

/* The plan must outlive them. */
int plan_patterns_new(struct plan_patterns *patterns, const struct plan *p, enum plan_what what,
                      struct hagg_err *err);

/* The pattern with these stations in this order, or n when there is none. */
size_t plan_patterns_find(const struct plan_patterns *patterns, const uint32_t *numbers, size_t n);

void plan_patterns_free(struct plan_patterns *patterns);

#endif
