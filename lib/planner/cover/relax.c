#include "planner/cover/relax.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE 5    /* steps without a better sum before the step length is halved */
#define RECENT   0.06 /* weight of the last step in relax_column.often */

bool relax_new(struct relax *r, struct credit *c, struct cover_best *b, struct assignment *a,
               const double *credit, double missing, size_t max_columns)
{
    *r = (struct relax){ .c = c, .pool = &c->pool, .b = b, .a = a, .max_columns = max_columns };
    r->columns = malloc(max_columns * sizeof *r->columns);
    r->slope = malloc(a->in->n_reach_classes * sizeof *r->slope);
    if (!r->columns || !r->slope) {
        relax_free(r);
        return false;
    }
    for (size_t i = 0; i < c->pool.n && r->n_columns < max_columns; i++)
        if (credit_missing(c, i, credit) <= missing)
            r->columns[r->n_columns++] = (struct relax_column){ .pattern = i, .often = 0.5 };
    return true;
}

void relax_free(struct relax *r)
{
    free(r->columns);
    free(r->slope);
    *r = (struct relax){ 0 };
}

/* As in credit.c, but for open columns the offers less the fee are subtracted even if negative, and
 * closed columns are ignored. */
static double value(struct relax *r, const double *credit)
{
    const struct pool *pool = r->pool;
    uint32_t n_reach_classes = r->a->in->n_reach_classes;
    double sum = 0;

    for (uint32_t k = 0; k < n_reach_classes; k++) {
        sum += credit[k];
        r->slope[k] = 1;
    }
    pool->reachers->work += n_reach_classes;
    for (size_t i = 0; i < r->n_columns; i++) {
        struct relax_column *col = &r->columns[i];
        size_t end = pool->start[col->pattern + 1];

        if (col->choice == RELAX_CLOSED)
            continue;
        double over = pool_offered(pool, col->pattern, credit) - pool->fee[col->pattern];
        pool->reachers->work += 2 * (end - pool->start[col->pattern]) + 4;
        col->often *= 1 - RECENT;
        if (over <= 0 && col->choice == RELAX_FREE)
            continue;
        sum -= over;
        for (size_t j = pool->start[col->pattern]; j < end; j++)
            if (credit[pool->payers[j].reach_class] > pool->payers[j].surcharge)
                r->slope[pool->payers[j].reach_class] -= 1;
        col->often += RECENT;
    }
    return sum;
}

double relax_climb(struct relax *r, double *credit, double *try, unsigned steps, double enough)
{
    uint32_t n_reach_classes = r->a->in->n_reach_classes;
    double length = 0.5, best = -DBL_MAX, upper = r->b->cost - r->c->base;
    unsigned waited = 0;

    memcpy(try, credit, n_reach_classes * sizeof *try);
    for (unsigned i = 0; i < steps; i++) {
        double sum = value(r, try), norm = 0;

        if (sum > best) {
            best = sum;
            memcpy(credit, try, n_reach_classes * sizeof *try);
            waited = 0;
        } else if (++waited == PATIENCE) {
            waited = 0;
            length /= 2;
        }
        if (r->c->base + best > enough)
            break;
        for (uint32_t k = 0; k < n_reach_classes; k++)
            norm += r->slope[k] * r->slope[k];
        if (norm == 0)
            break;
        for (uint32_t k = 0; k < n_reach_classes; k++)
            try[k] += length * (upper - sum) / norm * r->slope[k];
    }
    return r->c->base + best;
}

/* Each pattern that stays open saves its users at least its fee. This also bounds their number. */
static void close_worthless(struct assignment *a)
{
    for (uint32_t slot = 0; slot < a->n_slots; slot++)
        if (a->fee[slot] > a->loss[slot] + 1e-9)
            assignment_close(a, slot);
}

void relax_round(struct relax *r)
{
    assignment_close_all(r->a);
    for (size_t i = 0; i < r->n_columns; i++) {
        const struct relax_column *col = &r->columns[i];

        if (col->choice != RELAX_OPEN && (col->choice != RELAX_FREE || col->often <= 0.5))
            continue;
        if (r->a->n_open > r->a->in->n_reach_classes)
            close_worthless(r->a);
        assignment_open(r->a, pool_set(r->pool, col->pattern));
    }
    close_worthless(r->a);
    cover_best_keep(r->b, r->a);
}
