/*
 * compatible.h - which clients can be in one group at all, and whether a few of them keep the
 * others apart.
 *
 * Two clients are compatible when they reach enough stations in common for a sharing. Whatever the
 * groups, clients who are linked through them are linked through compatible ones; so where z
 * clients can be taken away and the others are not all linked any more, no choice of groups is
 * private against z clients.
 */
#ifndef HAGG_PLANNER_COMPATIBLE_H
#define HAGG_PLANNER_COMPATIBLE_H

#include "planner/instance.h"

struct compatible {
    const struct instance *in;
    size_t n_words;   /* of a row */
    uint64_t *rows;   /* n_reach_classes sets of reach classes, without the reach class itself */
    uint32_t *degree; /* clients compatible with a client of each reach class, itself not counted */
};

/* Reach classes beyond which the table would be too large. */
#define COMPATIBLE_MOST 20000

/* At most COMPATIBLE_MOST reach classes. */
int compatible_new(struct compatible *c, const struct instance *in, struct hagg_err *err);
void compatible_free(struct compatible *c);

/* Reach classes whose clients, at most z, separate the reach classes apart[0] and apart[1]. */
struct compatible_cut {
    uint32_t *reach_classes;
    size_t n_reach_classes;
    uint32_t separated[2];
};

/* 1: there is a cut, which is the caller's to free; 0: there is none; -1: an error. */
int compatible_separated(const struct compatible *c, uint32_t z, struct compatible_cut *cut,
                         struct hagg_err *err);

void compatible_cut_free(struct compatible_cut *cut);

#endif
