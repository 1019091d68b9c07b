/*
 * links.h - who sends to whom, as pairs of numbers.
 */
#ifndef HAGG_ROUND_LINKS_H
#define HAGG_ROUND_LINKS_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Begins all zero. */
struct links {
    struct link {
        uint32_t of, with;
    } * pairs;
    size_t n, capacity;
};

int links_add(struct links *l, uint32_t of, uint32_t with, struct hagg_err *err);

/* Puts them in order, each once. */
void links_sort(struct links *l);

/* The same the other way round, in order; *back begins all zero. */
int links_reverse(const struct links *l, struct links *back, struct hagg_err *err);

/* All pairs of this number; *n = 0 when there are none. They must be in order. */
const struct link *links_of(const struct links *l, uint32_t of, size_t *n);

void links_free(struct links *l);

#endif
