/*
 * sets.h - enumerates the sets of colluders that the bounds allow: only maximal sets, and only one
 * of several that are equivalent.
 *
 * For a profile it only matters whether a client is left that is honest and in the sums. So a set
 * is given by its stations, its relays and the emptied profiles, all of whose clients collude or
 * are missing.
 */
#ifndef HAGG_SETS_H
#define HAGG_SETS_H

#include "audit/audit.h"

#define SETS_SIDES 3

/* Writes the sides that the bounds allow and returns their number. */
size_t sets_sides(const struct model *m, const struct audit_bounds *b,
                  struct audit_side sides[SETS_SIDES]);

/* The binomial coefficient n over k, and the product; UINT64_MAX if it is that or more. */
uint64_t sets_choose(uint64_t n, uint64_t k);
uint64_t sets_times(uint64_t a, uint64_t b);

/* The number of sets, with clients counted individually; UINT64_MAX if it is that or more. */
uint64_t sets_count(const struct model *m, const struct audit_side *s);

/* Writes the i-th k-subset of 0 .. n - 1 in lexicographic order. */
void sets_unrank(uint64_t i, uint32_t n, uint32_t k, uint32_t *chosen);

/* All sets of profiles that can be emptied together, ordered by size. */
struct sets_emptied {
    uint32_t *profiles; /* the sets, one after the other */
    size_t *starts;     /* n_sets + 1 entries */
    size_t n_sets;
};

/* HAGG_E_USAGE if there are more than limit. */
int sets_emptied_new(struct sets_emptied *e, const struct model *m, const struct audit_side *s,
                     size_t limit, struct hagg_err *err);
void sets_emptied_free(struct sets_emptied *e);

/* Makes the set with these stations and relays, given as numbers for sets_unrank, and these emptied
 * profiles. Their clients collude up to the limit of the side; the others are missing. */
int sets_coalition(struct coalition *c, const struct model *m, const struct audit_side *s,
                   uint64_t stations, uint64_t relays, const uint32_t *profiles, size_t n_profiles,
                   struct hagg_err *err);

#endif
