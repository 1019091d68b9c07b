/*
 * sets.h - the sets of colluders that bounds allow, as numbered: the largest ones, one for each of
 * those that are alike.
 *
 * Of a profile of clients it only matters whether one is left that is honest and in the sums. So a
 * set is given by its stations, its relays and the profiles that are used up, by colluding clients
 * or by missing ones.
 */
#ifndef HAGG_SETS_H
#define HAGG_SETS_H

#include "audit/audit.h"

/* Those who may be on one side together. */
struct sets_side {
    bool federator;
    uint32_t clients, stations, relays, missing;
};

#define SETS_SIDES 3

/* The sides that the bounds allow; how many there are. */
size_t sets_sides(const struct model *m, const struct audit_bounds *b,
                  struct sets_side sides[SETS_SIDES]);

/* n over k; UINT64_MAX when it is that or more. */
uint64_t sets_choose(uint64_t n, uint64_t k);
uint64_t sets_times(uint64_t a, uint64_t b);

/* How many sets there are, counting every client; UINT64_MAX: or more. */
uint64_t sets_count(const struct model *m, const struct sets_side *s);

/* The k of n that are number i of all, in lexicographic order: indices from 0. */
void sets_unrank(uint64_t i, uint32_t n, uint32_t k, uint32_t *chosen);

/* Kinds that can be used up together, in order of how many. */
struct sets_emptied {
    uint32_t *profiles; /* n of them in all, one list after the other */
    size_t *starts;     /* n_sets + 1 */
    size_t n_sets;
};

/* HAGG_E_USAGE when there are more than limit. */
int sets_emptied_new(struct sets_emptied *e, const struct model *m, const struct sets_side *s,
                     size_t limit, struct hagg_err *err);
void sets_emptied_free(struct sets_emptied *e);

/* The set: stations, relays and profiles by the indices of the above. Clients of the profiles
 * collude, and are missing once as many do as may. */
int sets_coalition(struct coalition *c, const struct model *m, const struct sets_side *s,
                   uint64_t stations, uint64_t relays, const uint32_t *profiles, size_t n_profiles,
                   struct hagg_err *err);

#endif
