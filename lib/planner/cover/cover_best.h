/*
 * cover_best.h - the cheapest patterns that a search has had open.
 */
#ifndef HAGG_PLANNER_COVER_BEST_H
#define HAGG_PLANNER_COVER_BEST_H

#include "planner/cover/assignment.h"

struct cover_best {
    double cost;
    uint32_t n_patterns;
    uint64_t *patterns;
};

/* What is open. */
int cover_best_new(struct cover_best *b, const struct assignment *a, struct hagg_err *err);

void cover_best_free(struct cover_best *b);

/* Takes what is open, if it is cheaper. */
void cover_best_keep(struct cover_best *b, const struct assignment *a);

/* Opens what was kept, and nothing else. */
void cover_best_restore(const struct cover_best *b, struct assignment *a);

#endif
