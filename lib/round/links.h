/*
 * links.h - sets of pairs of numbers: who sends to whom, and through whom.
 */
#ifndef HAGG_ROUND_LINKS_H
#define HAGG_ROUND_LINKS_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Initially all zero. */
struct links {
    struct link {
        uint32_t of, with;
        uint32_t third; /* a third node, or 0 */
    } * pairs;
    size_t n, capacity;
};

int links_add(struct links *l, uint32_t of, uint32_t with, struct hagg_err *err);

/* The same with a third node. */
int links_add_third(struct links *l, uint32_t of, uint32_t with, uint32_t third,
                    struct hagg_err *err);

/* Sorts the pairs and removes duplicates. */
void links_sort(struct links *l);

/* Sets *back, which is all zero, to the reversed pairs, sorted. */
int links_reverse(const struct links *l, struct links *back, struct hagg_err *err);

/* The pairs whose first number is `of`; sets *n to 0 if there is none. *l must be sorted. */
const struct link *links_of(const struct links *l, uint32_t of, size_t *n);

void links_free(struct links *l);

#endif
