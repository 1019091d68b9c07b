/*
 * affected.h - divides what a coalition learns into what it learns about single clients, about sums
 * and about other combinations, each with its exact amount. Used by learnt.c only.
 */
#ifndef HAGG_AFFECTED_H
#define HAGG_AFFECTED_H

#include "audit/exposed.h"

/* Initialise to all zero. */
struct affected {
    size_t *own;          /* by profile: rank of what the messages of a client reveal about it */
    size_t *honest;       /* by profile: rank of all that is learnt about an honest client alone */
    struct echelon known; /* the latter, as combinations of the sums over profiles */
};

int affected_begin(struct affected *a, const struct exposed_rows *sums, struct hagg_err *err);

/* Adds what the messages of a single client of the profile reveal about it. Vectors are cut as in
 * the rows of affected_begin. */
int affected_own(struct affected *a, const struct exposed_rows *own, uint32_t profile,
                 struct learnt *l, struct hagg_err *err);

/* Adds the forms of sums to *l: those that are learnt, before the allowed sum is added to them. */
int affected_forms(const struct exposed_rows *sums, struct learnt *l, struct hagg_err *err);

/* Sets the parts of *l. sums are the rows with the allowed sum, if there is one, reduced. */
int affected_parts(struct affected *a, const struct exposed_rows *sums, bool allowed,
                   struct learnt *l, struct hagg_err *err);

void affected_free(struct affected *a);

#endif
