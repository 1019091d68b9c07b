#include "planner/cover/dive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_STEPS  200
#define NEXT_STEPS   30
#define PART_DECIDED 4 /* after each climb one in this many free columns is decided */
#define MOST_COLUMNS 100000
#define MISSES       0.5 /* columns miss at most this fraction of the smallest fee */

static int clearest_first(const void *a, const void *b)
{
    const struct relax_column *const *x = a, *const *y = b;
    double p = fabs((*x)->often - 0.5), q = fabs((*y)->often - 0.5);

    if (p != q)
        return p > q ? -1 : 1;
    return (*x)->pattern < (*y)->pattern ? -1 : 1;
}

/* Decides the clearest of the free columns. False if no column was free. */
static bool decide(struct relax *r, struct relax_column **order)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n_columns; i++)
        if (r->columns[i].choice == RELAX_FREE)
            order[n++] = &r->columns[i];
    qsort(order, n, sizeof(struct relax_column *), clearest_first);
    for (size_t i = 0; i < (n + PART_DECIDED - 1) / PART_DECIDED; i++)
        order[i]->choice = order[i]->often > 0.5 ? RELAX_OPEN : RELAX_CLOSED;
    return n > 0;
}

int dive(struct credit *c, struct cover_best *b, struct assignment *a, struct effort *e,
         double spread, uint64_t work, struct hagg_err *err)
{
    const struct instance *in = a->in;
    double *credit = malloc(2 * in->n_reach_classes * sizeof *credit);
    struct relax_column **order = NULL;
    struct relax r = { 0 };
    uint64_t end = c->pool.reachers->work + work;
    unsigned steps = FIRST_STEPS;
    int rc = -1;

    if (!credit ||
        !relax_new(&r, c, b, a, c->credit, MISSES * in->fee[in->n_stations], MOST_COLUMNS))
        goto out;
    order = malloc((r.n_columns + 1) * sizeof(struct relax_column *));
    if (!order)
        goto out;
    for (uint32_t k = 0; k < in->n_reach_classes; k++)
        credit[k] = c->credit[k] * (1 + spread * (effort_random(e, 2048) / 1024.0 - 1));
    do {
        relax_climb(&r, credit, credit + in->n_reach_classes, steps, INFINITY);
        relax_round(&r);
        steps = NEXT_STEPS;
    } while (decide(&r, order) && c->pool.reachers->work < end && effort_may_continue(e));
    rc = 0;
out:
    if (rc)
        err_errno(err, "no memory for a choice of patterns");
    relax_free(&r);
    free(order);
    free(credit);
    return rc;
}
