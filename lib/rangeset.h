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

void rangeset_free(struct rangeset *set);

#endif
