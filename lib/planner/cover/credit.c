#include "planner/cover/credit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 200 /* for one pool */
#define PATIENCE   8   /* steps without a better sum before the step length is halved */

int credit_new(struct credit *c, struct reachers *r, struct hagg_err *err)
{
    const struct instance *in = r->in;
    double largest = 0;

    *c = (struct credit){ 0 };
    if (pool_new(&c->pool, r, err))
        return -1;
    c->kept = calloc(in->n_reach_classes, sizeof *c->kept);
    c->credit = malloc(in->n_reach_classes * sizeof *c->credit);
    c->best = malloc(in->n_reach_classes * sizeof *c->best);
    c->slope = malloc(in->n_reach_classes * sizeof *c->slope);
    c->trend = malloc(in->n_reach_classes * sizeof *c->trend);
    if (!c->kept || !c->credit || !c->best || !c->slope || !c->trend) {
        credit_free(c);
        return err_errno(err, "no memory for a bound on the cost");
    }
    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        double fee = c->pool.own_fee[k];

        c->base += in->weight[k] * c->pool.rate[k];
        c->credit[k] = fee / 2;
        if (fee > largest)
            largest = fee;
        pool_add(&c->pool, instance_reach(in, k));
    }
    c->bound = c->base + largest;
    return 0;
}

void credit_free(struct credit *c)
{
    pool_free(&c->pool);
    free(c->kept);
    free(c->credit);
    free(c->best);
    free(c->slope);
    free(c->trend);
    *c = (struct credit){ 0 };
}

/* The sum of the credits less the amounts by which patterns of the pool are overpaid. No cover with
 * patterns of the pool costs less than this plus the base. Sets slope to its subgradient. */
static double value(struct credit *c)
{
    const struct pool *p = &c->pool;
    uint32_t n_reach_classes = p->reachers->in->n_reach_classes;
    double sum = 0;

    for (uint32_t k = 0; k < n_reach_classes; k++) {
        sum += c->credit[k];
        c->slope[k] = 1;
    }
    for (size_t i = 0; i < p->n; i++) {
        double over = pool_offered(p, i, c->credit) - p->fee[i];

        if (over <= 0)
            continue;
        sum -= over;
        for (size_t j = p->start[i]; j < p->start[i + 1]; j++)
            if (c->credit[p->payers[j].reach_class] > p->payers[j].surcharge)
                c->slope[p->payers[j].reach_class] -= 1;
    }
    p->reachers->work += 2 * p->start[p->n] + n_reach_classes;
    return sum;
}

/* A step along the slope, with momentum from earlier steps. With length 1 it would arrive at
 * `upper` if the slope stayed the same. False if the value cannot increase. */
static bool step(struct credit *c, double length, double upper, double sum)
{
    uint32_t n_reach_classes = c->pool.reachers->in->n_reach_classes;
    double norm = 0;

    for (uint32_t k = 0; k < n_reach_classes; k++) {
        double t = 0.4 * c->trend[k] + c->slope[k];

        /* a credit above the fee of the whole reach is never useful: that is the cost of using it
         * alone */
        if ((t < 0 && c->credit[k] <= 0) || (t > 0 && c->credit[k] >= c->pool.own_fee[k]))
            t = 0;
        c->trend[k] = t;
        norm += t * t;
    }
    if (norm == 0 || upper <= sum)
        return false;
    length *= (upper - sum) / norm;
    for (uint32_t k = 0; k < n_reach_classes; k++) {
        double credit = c->credit[k] + length * c->trend[k];

        c->credit[k] = fmax(0, fmin(credit, c->pool.own_fee[k]));
    }
    return true;
}

static void climb(struct credit *c, double upper, uint64_t work)
{
    size_t bytes = c->pool.reachers->in->n_reach_classes * sizeof *c->credit;
    uint64_t end = c->pool.reachers->work + work;
    double length = 1, best = -DBL_MAX;
    unsigned waited = 0;

    memset(c->trend, 0, bytes);
    for (unsigned i = 0; i < MOST_STEPS && c->pool.reachers->work < end; i++) {
        double sum = value(c);

        if (sum > best + 1e-6 * fabs(best)) {
            best = sum;
            memcpy(c->best, c->credit, bytes);
            waited = 0;
        } else if (++waited == PATIENCE) {
            length /= 2;
            waited = 0;
            memcpy(c->credit, c->best, bytes);
            continue;
        }
        if (!step(c, length, upper, sum))
            break;
    }
    memcpy(c->credit, c->best, bytes);
}

static void found(void *arg, const uint64_t *set)
{
    pool_add(arg, set);
}

/* Makes `part` times the credits valid and keeps the result if it is the best bound. False if that
 * takes too long. */
static bool keep_part(struct credit *c, double part, struct effort *e, uint64_t work)
{
    uint32_t n_reach_classes = c->pool.reachers->in->n_reach_classes;
    double *credit = c->best; /* scratch: its content is only used during a climb */
    struct overpaid o = { .reachers = c->pool.reachers,
                          .credit = credit,
                          .rate = c->pool.rate,
                          .found = found,
                          .arg = &c->pool };
    double sum = c->base;

    for (uint32_t k = 0; k < n_reach_classes; k++)
        credit[k] = c->credit[k] * part;
    if (!overpaid_settle(&o, e, work))
        return false;
    for (uint32_t k = 0; k < n_reach_classes; k++)
        sum += credit[k];
    if (sum > c->bound) {
        c->bound = sum;
        memcpy(c->kept, credit, n_reach_classes * sizeof *credit);
    }
    return true;
}

void credit_improve(struct credit *c, double upper, struct effort *e, uint64_t work)
{
    struct reachers *r = c->pool.reachers;
    uint64_t end = r->work + work;
    bool settled = false;

    for (size_t n = 0; n != c->pool.n && r->work < end && effort_may_continue(e);) {
        n = c->pool.n;
        climb(c, upper - c->base, work / 8);
        settled = keep_part(c, 1, e, work / 3) || settled;
    }
    /* with lower credits, fewer sets can be overpaid, so the search is shorter */
    for (double part = 0.7; part > 0.2 && !settled && effort_may_continue(e); part *= 0.7)
        settled = keep_part(c, part, e, work / 6);
}
