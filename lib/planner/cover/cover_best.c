#include "planner/cover/cover_best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int cover_best_new(struct cover_best *b, const struct assignment *a, struct hagg_err *err)
{
    *b = (struct cover_best){ .cost = INFINITY };
    b->patterns = malloc((a->in->n_reach_classes + 1) * a->in->n_words * sizeof *b->patterns);
    if (!b->patterns)
        return err_errno(err, "no memory for the best patterns");
    cover_best_keep(b, a);
    return 0;
}

void cover_best_free(struct cover_best *b)
{
    free(b->patterns);
    *b = (struct cover_best){ 0 };
}

void cover_best_keep(struct cover_best *b, const struct assignment *a)
{
    const double rounding = 1e-12; /* of incrementally updated sums */
    size_t n_words = a->in->n_words;

    if (a->cost >= b->cost * (1 - rounding))
        return;
    b->cost = a->cost;
    b->n_patterns = 0;
    for (uint32_t slot = 0; slot < a->n_slots; slot++)
        if (a->fee[slot] > 0)
            memcpy(b->patterns + b->n_patterns++ * n_words, assignment_set(a, slot),
                   n_words * sizeof *b->patterns);
}

void cover_best_restore(const struct cover_best *b, struct assignment *a)
{
    assignment_close_all(a);
    for (uint32_t i = 0; i < b->n_patterns; i++)
        assignment_open(a, b->patterns + i * a->in->n_words);
}
