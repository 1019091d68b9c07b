/*
 * contributors.h - the clients in a sum, and the input of each.
 */
#ifndef HAGG_CONTRIBUTORS_H
#define HAGG_CONTRIBUTORS_H

#include <stdbool.h>

#include "header.h"

/* Most ranges in one sum: as many as the clients of a plan, so that only records made without a
 * plan can have more. */
#define CONTRIBUTORS_MAX 1000000u

/* Initialise to all zero. The ranges are in a tree, because they arrive in any order. */
struct contributors {
    struct contributors_span *spans; /* in order of arrival, the last one first */
    void *tree;
    size_t n; /* number of ranges */
    uint64_t n_clients;
};

/* Adds a range. Returns 1; 0 if *client, the lowest of them, already is in the sum, from input
 * *earlier; -1 if out of memory, or if the sum has too many ranges. */
int contributors_add(struct contributors *c, struct header_range range, size_t source,
                     uint32_t *client, size_t *earlier, struct hagg_err *err);

/* Returns true if the client is in the sum. */
bool contributors_has(const struct contributors *c, uint32_t number);

/* Returns the clients as ascending ranges with gaps, as in a header, malloc'ed for the caller. */
int contributors_ranges(const struct contributors *c, struct header_range **ranges, size_t *n,
                        struct hagg_err *err);

void contributors_free(struct contributors *c);

#endif
