/*
 * compatible.h - determines which clients can be in one group at all, and whether removing a few
 * clients separates the others.
 *
 * Two clients are compatible if they reach enough stations in common for a sharing. Clients that
 * are connected through groups are connected through compatible clients, whatever the groups are.
 * So if removing z clients leaves others that are not all connected through compatible clients, no
 * choice of groups is private against z clients.
 */
#ifndef HAGG_PLANNER_COMPATIBLE_H
#define HAGG_PLANNER_COMPATIBLE_H

#include "planner/instance.h"

struct compatible {
    const struct instance *in;
    size_t n_words;   /* words per row */
    uint64_t *rows;   /* for each reach class the set of the others compatible with it */
    uint32_t *degree; /* of each reach class: other clients compatible with one of its clients */
};

/* Maximum number of reach classes; with more the table would be too large. */
#define COMPATIBLE_MOST 20000

/* in has at most COMPATIBLE_MOST reach classes and must outlive c. */
int compatible_new(struct compatible *c, const struct instance *in, struct hagg_err *err);
void compatible_free(struct compatible *c);

/* Reach classes with at most z clients in total, whose removal separates the reach classes
 * separated[0] and separated[1]. */
struct compatible_cut {
    uint32_t *reach_classes;
    size_t n_reach_classes;
    uint32_t separated[2];
};

/* 1: there is a cut, which the caller frees with compatible_cut_free; 0: there is none; -1:
 * error. */
int compatible_separated(const struct compatible *c, uint32_t z, struct compatible_cut *cut,
                         struct hagg_err *err);

void compatible_cut_free(struct compatible_cut *cut);

#endif
