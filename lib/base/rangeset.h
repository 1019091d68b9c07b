/*
 * rangeset.h - a set of numbers as ascending ranges with gaps between them, as in a record header.
 */
#ifndef HAGG_RANGESET_H
#define HAGG_RANGESET_H

#include "err.h"
#include "header.h"

/* Initialise to all zero. */
struct rangeset {
    struct header_range *ranges;
    size_t n, capacity;
};

/* Adds first .. last, some or all of which may already be in the set. */
int rangeset_add(struct rangeset *set, uint32_t first, uint32_t last, struct hagg_err *err);

/* The same for many ranges in any order, in less time: call rangeset_settle after the last one and
 * before any other function. */
int rangeset_append(struct rangeset *set, uint32_t first, uint32_t last, struct hagg_err *err);
void rangeset_settle(struct rangeset *set);

/* Returns how many of the numbers first .. last are in the set. */
uint64_t rangeset_overlap(const struct rangeset *set, uint32_t first, uint32_t last);

/* Returns true if two sets of ascending ranges with gaps differ. *range then begins with the least
 * number that is in only one of them, and *in_a is true if that one is a. */
bool rangeset_difference(const struct header_range *a, size_t n_a, const struct header_range *b,
                         size_t n_b, struct header_range *range, bool *in_a);

/* Returns how many numbers are in the set. */
uint64_t rangeset_count(const struct rangeset *set);

void rangeset_free(struct rangeset *set);

#endif
