#include "planner/cover/prove.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planner/cover/relax.h"

#define STEPS        60   /* of the credits in each node */
#define MOST_COLUMNS 8192 /* patterns to combine; with more it gives up */
#define MOST_FEES    3    /* gives up if the gap is more than this many times the smallest fee */

struct proof {
    struct relax relax;
    struct effort *e;
    uint64_t limit; /* of work */
    double grain;   /* two different costs differ by at least this; 0: unknown */
    bool failed;
};

/* The smallest number below 1000 whose product with the rate is an integer, or 0. */
static uint32_t denominator(double rate)
{
    for (uint32_t q = 1; q < 1000; q++)
        if (fabs(rate * q - round(rate * q)) < 1e-9)
            return q;
    return 0;
}

/* Multiplies *multiple until its product with the rate is an integer. False if that takes a factor
 * that is too large. */
static bool make_multiple(uint64_t *multiple, double rate)
{
    uint64_t q = denominator(rate), x = *multiple, y = q;

    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    *multiple *= q / x;
    return q != 0;
}

/* Rates and fees are fractions with small denominators, and costs are sums of them, so costs are
 * multiples of one over the least common multiple of the denominators. 0 if that is too small to
 * distinguish from rounding. */
static double find_grain(const struct instance *in, double cost)
{
    uint64_t multiple = 1;
    uint32_t largest = 0;

    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        uint32_t size = set_count(instance_reach(in, k), in->n_words);
        largest = size > largest ? size : largest;
    }
    for (uint32_t m = 1; m <= largest; m++)
        if (!isinf(in->rate[m]) &&
            (!make_multiple(&multiple, in->rate[m]) || !make_multiple(&multiple, in->fee[m]) ||
             (double)multiple * cost > 1e9))
            return 0;
    return 1.0 / (double)multiple;
}

/* A cover is cheaper than the best only if it costs less than this. */
static double target(const struct proof *p)
{
    double cost = p->relax.b->cost;

    return cost - (p->grain > 0 ? 0.99 * p->grain : 1e-9 * cost);
}

/* Decides the free columns for which the bound leaves no choice and appends them to changed.
 * Returns the most ambiguous of the others, or NULL if there is none. */
static struct relax_column *decide(struct proof *p, const double *credit, double bound,
                                   uint32_t *changed, size_t *n_changed)
{
    const struct pool *pool = p->relax.pool;
    struct relax_column *least = NULL;

    for (size_t i = 0; i < p->relax.n_columns; i++) {
        struct relax_column *col = &p->relax.columns[i];

        if (col->choice != RELAX_FREE)
            continue;
        double over = pool_offered(pool, col->pattern, credit) - pool->fee[col->pattern];
        if (bound + fabs(over) > target(p)) {
            col->choice = over > 0 ? RELAX_OPEN : RELAX_CLOSED;
            changed[(*n_changed)++] = (uint32_t)i;
        } else if (!least || fabs(col->often - 0.5) < fabs(least->often - 0.5))
            least = col;
    }
    return least;
}

static void branch(struct proof *p, const double *from)
{
    struct relax *r = &p->relax;
    uint32_t n_reach_classes = r->a->in->n_reach_classes;
    double *credit = malloc(2 * n_reach_classes * sizeof *credit);
    uint32_t *changed = malloc(r->n_columns * sizeof *changed);
    size_t n_changed = 0;

    if (r->pool->reachers->work > p->limit || !effort_may_continue(p->e) || !credit || !changed)
        p->failed = true;
    if (p->failed)
        goto out;
    memcpy(credit, from, n_reach_classes * sizeof *credit);
    double bound = relax_climb(r, credit, credit + n_reach_classes, STEPS, target(p));
    if (bound > target(p))
        goto out;
    relax_round(r);
    struct relax_column *col = decide(p, credit, bound, changed, &n_changed);
    if (!col) {
        /* all columns are decided: the open ones are the only cover of this branch */
        relax_round(r);
        goto out;
    }
    enum relax_choice first = col->often > 0.5 ? RELAX_OPEN : RELAX_CLOSED;
    col->choice = first;
    branch(p, credit);
    if (!p->failed) {
        col->choice = first == RELAX_OPEN ? RELAX_CLOSED : RELAX_OPEN;
        branch(p, credit);
    }
    col->choice = RELAX_FREE;
out:
    while (n_changed > 0)
        r->columns[changed[--n_changed]].choice = RELAX_FREE;
    free(credit);
    free(changed);
}

static void found(void *arg, const uint64_t *set)
{
    pool_add(arg, set);
}

/* How much a cover cheaper than the best may cost beyond base plus kept credits. */
static double room(const struct proof *p, const struct credit *c, uint32_t n_reach_classes)
{
    double sum = c->base;

    for (uint32_t k = 0; k < n_reach_classes; k++)
        sum += c->kept[k];
    return target(p) - sum;
}

bool prove(struct credit *c, struct cover_best *b, struct assignment *a, struct effort *e,
           uint64_t work)
{
    struct reachers *reachers = c->pool.reachers;
    struct proof p = { .e = e, .limit = reachers->work + work };
    struct overpaid o = { .reachers = reachers,
                          .credit = c->kept,
                          .rate = c->pool.rate,
                          .found = found,
                          .arg = &c->pool };

    p.relax.b = b;
    p.grain = find_grain(a->in, b->cost);
    double more = room(&p, c, a->in->n_reach_classes);
    if (more < 0)
        return true;
    if (more > MOST_FEES * a->in->fee[a->in->n_stations])
        return false;
    if (!overpaid_list(&o, more, e, work / 2) || c->pool.full ||
        !relax_new(&p.relax, c, b, a, c->kept, more + 1e-9, MOST_COLUMNS))
        return false;
    if (p.relax.n_columns < MOST_COLUMNS)
        branch(&p, c->kept);
    else
        p.failed = true;
    relax_free(&p.relax);
    return !p.failed;
}
