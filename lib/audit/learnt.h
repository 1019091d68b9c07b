/*
 * learnt.h - computes exactly what a coalition learns about the vectors of the other clients.
 */
#ifndef HAGG_LEARNT_H
#define HAGG_LEARNT_H

#include "audit/coalition.h"
#include "audit/model.h"
#include "base/rangeset.h"

/* One term of an exposed combination. */
struct learnt_term {
    uint32_t client;  /* its number */
    uint32_t segment; /* of its vector, cut into term_cut segments */
    unsigned char factor[8];
};

/* What is learnt about some clients: for each of them, rank / cut of its vector; of the sum of
 * their vectors, rank / cut; or rank / cut of the length of a vector, of other combinations of
 * them. */
enum learnt_kind { LEARNT_EACH, LEARNT_SUM, LEARNT_COMBINATION };

struct learnt_part {
    enum learnt_kind kind;
    size_t rank;
    struct rangeset clients;
};

/* Combinations of segments, of which there are as many as cut, that span all that is learnt. */
#define LEARNT_FORM_TERMS 20000u

struct learnt_forms {
    struct learnt_term *terms;
    size_t *ends; /* of each form in terms */
    size_t n, n_terms, max_ends, max_terms;
    bool left_out; /* some are left out: all of them have more than LEARNT_FORM_TERMS terms */
};

/* What is learnt beyond what is allowed. The federator is allowed to learn the sum over the honest
 * clients if there are at least two; nobody else is allowed anything. rank 0: nothing is learnt. */
struct learnt {
    size_t rank; /* the leakage is rank / cut times the length of a vector */
    uint32_t cut;
    uint32_t term_cut;         /* number of segments per vector in terms */
    bool only_one;             /* the sum is the vector of the only honest client */
    struct learnt_term *terms; /* one exposed combination, sorted by client */
    size_t n_terms;
    /* All that is learnt, by clients: of single clients first, most first. The allowed sum is not
     * listed, nor is what remains of it without the clients whose vectors are known. */
    struct learnt_part *parts;
    size_t n_parts, max_parts;
    struct learnt_forms forms;
};

/* The caller frees *l. HAGG_E_USAGE if the vectors have to be cut so finely that the linear system
 * has more than LEARNT_COLUMNS columns. */
int learnt_new(struct learnt *l, const struct model *m, const struct coalition *c,
               struct hagg_err *err);

#define LEARNT_COLUMNS 65536u /* takes minutes */

/* 1: the coalition learns more than it may; 0: it does not; -1: error, HAGG_E_USAGE as above with
 * max_columns as the limit. */
int learnt_leaks(const struct model *m, const struct coalition *c, size_t max_columns,
                 struct hagg_err *err);

/* 1: the coalition learns something about the vector of a client from the messages of this client
 * alone; 0: it does not; -1: error. */
int learnt_single(const struct model *m, const struct coalition *c, struct hagg_err *err);

void learnt_free(struct learnt *l);

#endif
