/*
 * credit.h - a lower bound on the cost of every cover, by credits of the reach classes
 * (overpaid.h).
 *
 * The credits are improved against a pool of patterns, and then lowered until they hold against
 * every set of stations, which finds what was missing in the pool. After a few rounds nothing is.
 */
#ifndef HAGG_PLANNER_CREDIT_H
#define HAGG_PLANNER_CREDIT_H

#include "planner/effort.h"
#include "planner/cover/overpaid.h"
#include "planner/cover/pool.h"

struct credit {
    struct pool pool;
    double base;  /* what whole reaches cost the clients */
    double bound; /* no cover costs less */
    double *kept; /* credits that no set overpays by: base and they are at most the bound */

    double *credit;               /* as improved against the pool alone */
    double *best, *slope, *trend; /* scratch of that */
};

/* The reachers must outlive it. The bound is what whole reaches show. */
int credit_new(struct credit *c, struct reachers *r, struct hagg_err *err);

void credit_free(struct credit *c);

/* Raises the bound, if so much work is enough. upper is the cost of some cover. */
void credit_improve(struct credit *c, double upper, struct effort *e, uint64_t work);

/* How much less a pattern is offered than its fee. By the kept credits: a cover with it costs at
 * least so much more than base and kept credits. By the others it is a hint. */
static inline double credit_missing(const struct credit *c, size_t pattern, const double *credit)
{
    return c->pool.fee[pattern] - pool_offered(&c->pool, pattern, credit);
}

#endif
