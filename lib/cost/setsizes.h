/*
 * setsizes.h - how many clients share over sets of each size, and how many different sets there
 * are.
 *
 * What a sharing costs depends on the size of its set alone, so this is all that the formulas of
 * docs/theory.md need to know of who reaches whom.
 */
#ifndef HAGG_COST_SETSIZES_H
#define HAGG_COST_SETSIZES_H

#include "plan/plan.h"

struct setsizes {
    uint32_t most;                /* the largest size that there is room for */
    uint64_t *clients, *patterns; /* by size, from 0 to most */
};

/* Of the sets of a plan at a tier: 0, the stations, or 1, the relays. */
int setsizes_of_plan(struct setsizes *s, const struct plan *p, enum plan_what what, size_t tier,
                     struct hagg_err *err);

/* All clients have sets of one size, of which so many differ. */
int setsizes_uniform(struct setsizes *s, uint32_t size, uint64_t n_clients, uint64_t n_patterns,
                     struct hagg_err *err);

void setsizes_free(struct setsizes *s);

/* The size of the smallest set; 0 when there is none. */
uint32_t setsizes_least(const struct setsizes *s);

uint64_t setsizes_count_patterns(const struct setsizes *s);

#endif
