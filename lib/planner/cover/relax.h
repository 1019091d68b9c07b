/*
 * relax.h - covers with some patterns of a pool (columns), each of which is open, closed or free.
 * Computes a bound on their cost from credits (overpaid.h) and estimates which free columns are
 * worth opening.
 */
#ifndef HAGG_PLANNER_RELAX_H
#define HAGG_PLANNER_RELAX_H

#include "planner/cover/cover_best.h"
#include "planner/cover/credit.h"

enum relax_choice { RELAX_FREE, RELAX_OPEN, RELAX_CLOSED };

struct relax_column {
    size_t pattern; /* index in the pool */
    enum relax_choice choice;
    double often; /* how often it was worth opening in recent steps: 0 .. 1 */
};

struct relax {
    struct credit *c;
    const struct pool *pool;
    struct cover_best *b;
    struct assignment *a;
    struct relax_column *columns;
    size_t n_columns, max_columns;
    double *slope; /* scratch: of each reach class */
};

/* The columns are the patterns of the pool for which credit_missing is at most `missing` with these
 * credits. All are free. If n_columns == max_columns, there may be more such patterns. The pointers
 * must outlive r, except credit. False if memory is short. */
bool relax_new(struct relax *r, struct credit *c, struct cover_best *b, struct assignment *a,
               const double *credit, double missing, size_t max_columns);

void relax_free(struct relax *r);

/* Improves the credits in at most this many steps; stops when the bound exceeds `enough`. Returns
 * the bound: no cover with these columns that respects their choices costs less. try is scratch of
 * the same length as credit. */
double relax_climb(struct relax *r, double *credit, double *try, unsigned steps, double enough);

/* Makes the open patterns of the assignment the open columns and the free columns that were worth
 * opening in more than half of the steps, closes those not worth their fee, and keeps the result if
 * it is the best. */
void relax_round(struct relax *r);

#endif
