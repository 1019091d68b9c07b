/*
 * rangeset.h - a set of numbers as ascending ranges with gaps between them, as in a header.
 */
#ifndef HAGG_RANGESET_H
#define HAGG_RANGESET_H

#include "err.h"
#include "header.h"

/* Begins all zero. */
struct rangeset {
    struct header_range *ranges;
    size_t n, capacity;
};

/* Adds first .. last; what is there already stays. */
int rangeset_add(struct rangeset *set, uint32_t first, uint32_t last, struct hagg_err *err);

/* How many of first .. last are in the set. */
uint64_t rangeset_overlap(const struct rangeset *set, uint32_t first, uint32_t last);

/* Whether two sets differ, each as ascending ranges with gaps. *range then begins with the least
 * number that is in one only, and *in_a says in which. */
bool rangeset_difference(const struct header_range *a, size_t n_a, const struct header_range *b,
                         size_t n_b, struct header_range *range, bool *in_a);

/* How many numbers the set has. */
uint64_t rangeset_count(const struct rangeset *set);

void rangeset_free(struct rangeset *set);

#endif
