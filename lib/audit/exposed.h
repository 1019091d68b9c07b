/*
 * exposed.h - of all combinations of vectors that a coalition has learnt, one to show. For learnt.c
 * only.
 */
#ifndef HAGG_EXPOSED_H
#define HAGG_EXPOSED_H

#include "audit/echelon.h"
#include "audit/learnt.h"

/* What is learnt, reduced. With vectors cut into so many segments, the column of a segment of a
 * profile is (cut + segment) * the number of profiles + profile; those before them are of keys. */
struct exposed_rows {
    const struct model *m;
    const struct coalition *c;
    const bool *profile_present; /* has honest clients that are in the sums */
    uint32_t cut;
    struct echelon rows;
};

/* A combination of sums over profiles, with the fewest clients: any, or one that says more than the
 * sum over all that are present. */
int exposed_sum(const struct exposed_rows *r, bool any, struct learnt *l, struct hagg_err *err);

/* A combination of the segments of one client of the profile. */
int exposed_single(const struct exposed_rows *r, uint32_t profile, struct learnt *l,
                   struct hagg_err *err);

#endif
