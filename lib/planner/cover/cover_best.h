/*
 * cover_best.h - the cheapest set of open patterns that a search has found.
 */
#ifndef HAGG_PLANNER_COVER_BEST_H
#define HAGG_PLANNER_COVER_BEST_H

#include "planner/cover/assignment.h"

struct cover_best {
    double cost;
    uint32_t n_patterns;
    uint64_t *patterns;
};

/* Starts with the patterns that are open in a. */
int cover_best_new(struct cover_best *b, const struct assignment *a, struct hagg_err *err);

void cover_best_free(struct cover_best *b);

/* Replaces *b by the open patterns of a if they are cheaper. */
void cover_best_keep(struct cover_best *b, const struct assignment *a);

/* Makes the patterns of *b the open patterns of a. */
void cover_best_restore(const struct cover_best *b, struct assignment *a);

#endif
