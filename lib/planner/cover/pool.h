/*
 * pool.h - patterns worth looking at, each with the reach classes that might pay for it.
 *
 * A reach class is left out of a pattern's that is dearer for it, by more than the fee of its whole
 * reach, than that reach: it would rather have the reach for itself.
 */
#ifndef HAGG_PLANNER_POOL_H
#define HAGG_PLANNER_POOL_H

#include "planner/cover/reachers.h"

struct pool {
    struct reachers *reachers;
    double *rate;            /* of each reach class's whole reach */
    uint32_t *reach_classes; /* scratch */

    size_t n, max;
    uint64_t *sets;
    double *fee;
    size_t *start; /* n + 1: where the payers of each begin */

    size_t max_payers;
    struct pool_payer {
        uint32_t reach_class;
        double surcharge; /* than its whole reach */
    } * payers;

    bool full; /* something found no room */

    size_t n_table; /* a power of two, at most half full */
    uint32_t *table;
};

/* The reachers must outlive it. */
int pool_new(struct pool *p, struct reachers *r, struct hagg_err *err);

void pool_free(struct pool *p);

/* Adds a set, unless it is there, no sharing fits in it, or there is no room: a pool keeps below
 * some hundred megabytes. */
void pool_add(struct pool *p, const uint64_t *set);

static inline const uint64_t *pool_set(const struct pool *p, size_t i)
{
    return p->sets + i * p->reachers->in->n_words;
}

/* What the pattern is offered by credits of the reach classes (overpaid.h). */
double pool_offered(const struct pool *p, size_t i, const double *credit);

#endif
