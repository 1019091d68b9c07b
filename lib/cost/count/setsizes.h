/*
 * setsizes.h - how many clients reach so many stations, for bounds: no protocol sends less to them
 * than their number asks for.
 */
#ifndef HAGG_COST_SETSIZES_H
#define HAGG_COST_SETSIZES_H

#include "plan/plan.h"

struct setsizes {
    uint32_t most;     /* the largest number that there is room for */
    uint64_t *clients; /* by number of stations, from 0 to most */
};

int setsizes_of_plan(struct setsizes *s, const struct plan *p, struct hagg_err *err);

/* All clients reach as many. */
int setsizes_uniform(struct setsizes *s, uint32_t size, uint64_t n_clients, struct hagg_err *err);

void setsizes_free(struct setsizes *s);

#endif
