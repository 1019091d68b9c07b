/*
 * contributors.h - the clients in a sum, and which input brought each.
 */
#ifndef HAGG_CONTRIBUTORS_H
#define HAGG_CONTRIBUTORS_H

#include "header.h"

/* A range of clients from one input. */
struct contributors_span {
    uint32_t first, last;
    size_t source;
};

/* Begins all zero. */
struct contributors {
    struct contributors_span *spans; /* ascending, none overlaps another */
    size_t n, capacity;
};

/* Adds a range. 1: done; 0: *client is in already, from *earlier; -1: no memory. */
int contributors_add(struct contributors *c, struct header_range range, size_t source,
                     uint32_t *client, size_t *earlier, struct hagg_err *err);

/* The same clients as ranges with gaps, malloc'ed for the caller: what a header says. */
int contributors_ranges(const struct contributors *c, struct header_range **ranges, size_t *n,
                        struct hagg_err *err);

void contributors_free(struct contributors *c);

#endif
