/*
 * credit.h - a lower bound on the cost of every cover, from credits of the reach classes
 * (overpaid.h).
 *
 * The credits are first optimised for a pool of patterns. Then they are lowered until they are
 * valid for every set of stations, which finds the patterns that were missing from the pool. After
 * a few rounds none is missing.
 */
#ifndef HAGG_PLANNER_CREDIT_H
#define HAGG_PLANNER_CREDIT_H

#include "planner/effort.h"
#include "planner/cover/overpaid.h"
#include "planner/cover/pool.h"

struct credit {
    struct pool pool;
    double base;  /* cost of the clients if each uses its whole reach, without fees */
    double bound; /* no cover costs less */
    double *kept; /* valid credits: they overpay no set. base plus their sum is at most bound */

    double *credit;               /* as optimised for the pool alone */
    double *best, *slope, *trend; /* scratch of the optimisation */
};

/* The reachers must outlive it. The initial bound follows from the whole reaches. */
int credit_new(struct credit *c, struct reachers *r, struct hagg_err *err);

void credit_free(struct credit *c);

/* Raises the bound if this much work is enough. upper is the cost of some cover. */
void credit_improve(struct credit *c, double upper, struct effort *e, uint64_t work);

/* The fee of a pattern less the offers to it. With the kept credits, a cover that uses the pattern
 * costs at least this much more than base plus the kept credits. With other credits it is only a
 * hint. */
static inline double credit_missing(const struct credit *c, size_t pattern, const double *credit)
{
    return c->pool.fee[pattern] - pool_offered(&c->pool, pattern, credit);
}

#endif
