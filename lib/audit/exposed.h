/*
 * exposed.h - selects one of the combinations of vectors that a coalition learns, for the report.
 * Used by learnt.c only.
 */
#ifndef HAGG_EXPOSED_H
#define HAGG_EXPOSED_H

#include "audit/echelon.h"
#include "audit/learnt.h"

/* The combinations that are learnt, reduced. Vectors are cut into `cut` segments. The column of a
 * segment of a profile is (cut + segment) * n_profiles + profile; the columns before are those of
 * keys. */
struct exposed_rows {
    const struct model *m;
    const struct coalition *c;
    const bool *profile_present; /* by profile: has honest clients */
    uint32_t cut;
    struct echelon rows;
};

/* Sets the terms of *l to a combination of sums over profiles with the fewest clients. Unless any
 * is true, it is not a multiple of the sum over all profiles present. Leaves *l unchanged if there
 * is none. */
int exposed_sum(const struct exposed_rows *r, bool any, struct learnt *l, struct hagg_err *err);

/* The same for a combination of the segments of a single client of the profile. */
int exposed_single(const struct exposed_rows *r, uint32_t profile, struct learnt *l,
                   struct hagg_err *err);

#endif
