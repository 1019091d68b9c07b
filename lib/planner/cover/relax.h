/*
 * relax.h - covers by some patterns of a pool, of which each is open, closed or still free: a bound
 * on their cost by credits (overpaid.h), and a guess which of the free ones are worth opening.
 */
#ifndef HAGG_PLANNER_RELAX_H
#define HAGG_PLANNER_RELAX_H

#include "planner/cover/cover_best.h"
#include "planner/cover/credit.h"

enum relax_choice { RELAX_FREE, RELAX_OPEN, RELAX_CLOSED };

struct relax_column {
    size_t pattern; /* of the pool */
    enum relax_choice choice;
    double often; /* how often it was worth opening in the last steps: 0 .. 1 */
};

struct relax {
    struct credit *c;
    const struct pool *pool;
    struct cover_best *b;
    struct assignment *a;
    struct relax_column *columns;
    size_t n_columns, max_columns;
    double *slope; /* scratch, of each reach class */
};

/* Takes those patterns of the pool that miss at most so much by these credits (credit_missing), all
 * free; when n_columns == max_columns there may be more. False when memory is short. */
bool relax_new(struct relax *r, struct credit *c, struct cover_best *b, struct assignment *a,
               const double *credit, double missing, size_t max_columns);

void relax_free(struct relax *r);

/* Improves the credits of the reach classes in so many steps; stops when the bound is above enough.
 * Returns the bound, that is, no cover by these columns that keeps to the choices costs less. try:
 * scratch, as long as credit. */
double relax_climb(struct relax *r, double *credit, double *try, unsigned steps, double enough);

/* Opens what is open, and of the free columns what was worth it more often than not, without what
 * is then not worth its fee; keeps that if it is the best. */
void relax_round(struct relax *r);

#endif
