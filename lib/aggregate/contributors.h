/*
 * contributors.h - the clients in a sum, and the input of each.
 */
#ifndef HAGG_CONTRIBUTORS_H
#define HAGG_CONTRIBUTORS_H

#include "header.h"

/* A range of clients from one input. */
struct contributors_span {
    uint32_t first, last;
    size_t source;
};

/* Initialise to all zero. */
struct contributors {
    struct contributors_span *spans; /* ascending, without overlap */
    size_t n, capacity;
};

/* Adds a range. Returns 1; 0 if *client already is in the sum, from input *earlier; -1 if out of
 * memory. */
int contributors_add(struct contributors *c, struct header_range range, size_t source,
                     uint32_t *client, size_t *earlier, struct hagg_err *err);

/* Returns the clients as ascending ranges with gaps, as in a header, malloc'ed for the caller. */
int contributors_ranges(const struct contributors *c, struct header_range **ranges, size_t *n,
                        struct hagg_err *err);

void contributors_free(struct contributors *c);

#endif
