/*
 * pool.h - candidate patterns, each with the reach classes that might pay for it.
 *
 * A reach class is not listed as a payer of a pattern that costs it at least as much as its whole
 * reach including the fee.
 */
#ifndef HAGG_PLANNER_POOL_H
#define HAGG_PLANNER_POOL_H

#include "planner/cover/reachers.h"

struct pool {
    struct reachers *reachers;
    double *rate, *own_fee;  /* of each reach class's whole reach */
    uint32_t *reach_classes; /* scratch */

    size_t n, max;
    uint64_t *sets;
    double *fee;
    size_t *start; /* n + 1 entries: index of the first payer of each pattern */

    size_t max_payers;
    struct pool_payer {
        uint32_t reach_class;
        double surcharge; /* price of the pattern less price of its whole reach */
    } * payers;

    bool full; /* a pattern was not added for lack of room */

    size_t n_table; /* hash table size: a power of two; at most half full */
    uint32_t *table;
};

/* The reachers must outlive it. */
int pool_new(struct pool *p, struct reachers *r, struct hagg_err *err);

void pool_free(struct pool *p);

/* Adds a set unless the pool has it, no sharing fits in it, or there is no room. The size of a pool
 * is limited to a few hundred megabytes. */
void pool_add(struct pool *p, const uint64_t *set);

static inline const uint64_t *pool_set(const struct pool *p, size_t i)
{
    return p->sets + i * p->reachers->in->n_words;
}

/* The sum of the offers to the pattern (overpaid.h). */
double pool_offered(const struct pool *p, size_t i, const double *credit);

#endif
