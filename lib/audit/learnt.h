/*
 * learnt.h - exactly what a coalition learns of the vectors of the others.
 */
#ifndef HAGG_LEARNT_H
#define HAGG_LEARNT_H

#include "audit/coalition.h"
#include "audit/model.h"

/* One client's part in an exposed combination. */
struct learnt_term {
    uint32_t client;  /* its number */
    uint32_t segment; /* of its vector, cut into term_cut */
    unsigned char factor[8];
};

/* What is learnt besides the sum over the honest clients, which the federator may know if there are
 * two or more, and nobody else. Nothing: rank is 0. */
struct learnt {
    size_t rank; /* the leakage is rank / cut times a vector */
    uint32_t cut;
    uint32_t term_cut; /* of the combination below: parts that vectors are cut into for it */
    bool only_one;     /* the sum is of one honest client */
    struct learnt_term *terms; /* one combination of those that are exposed; by client */
    size_t n_terms;
};

/* HAGG_E_USAGE when what is learnt is of vectors cut in so many different ways that the system has
 * more columns than LEARNT_COLUMNS. */
int learnt_new(struct learnt *l, const struct model *m, const struct coalition *c,
               struct hagg_err *err);

#define LEARNT_COLUMNS 65536u /* minutes */

/* 1: more than they may, 0: not, -1: an error, as above but with a limit of one's own. */
int learnt_leaks(const struct model *m, const struct coalition *c, size_t max_columns,
                 struct hagg_err *err);

void learnt_free(struct learnt *l);

#endif
