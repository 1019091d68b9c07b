/*
 * setsizes.h - the number of clients by number of stations that they reach, for lower bounds on the
 * cost.
 */
#ifndef HAGG_COST_SETSIZES_H
#define HAGG_COST_SETSIZES_H

#include "plan/plan.h"

struct setsizes {
    uint32_t most;            /* the largest index */
    uint64_t *clients;        /* number of clients by number of stations, 0 .. most */
    uint64_t n_computational; /* clients with computational privacy, which are not in `clients` */
};

int setsizes_of_plan(struct setsizes *s, const struct plan *p, struct hagg_err *err);

/* All clients reach `size` stations. */
int setsizes_uniform(struct setsizes *s, uint32_t size, uint64_t n_clients, struct hagg_err *err);

void setsizes_free(struct setsizes *s);

#endif
