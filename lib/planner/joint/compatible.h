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
    uint64_t *rows;   /* n_kinds sets of kinds, without the kind itself */
    uint32_t *degree; /* clients compatible with a client of each kind, itself not counted */
};

/* Kinds beyond which the table would be too large. */
#define COMPATIBLE_KINDS 20000

/* At most COMPATIBLE_KINDS kinds. */
int compatible_new(struct compatible *c, const struct instance *in, struct hagg_err *err);
void compatible_free(struct compatible *c);

/* Kinds whose clients, at most z, separate the kinds apart[0] and apart[1]. */
struct compatible_cut {
    uint32_t *kinds;
    size_t n_kinds;
    uint32_t apart[2];
};

/* 1: there is a cut, which is the caller's to free; 0: there is none; -1: an error. */
int compatible_parted(const struct compatible *c, uint32_t z, struct compatible_cut *cut,
                      struct hagg_err *err);

void compatible_cut_free(struct compatible_cut *cut);

#endif
