/*
 * shares_learnt.h - what stations learn about each client from their shares of its vector alone:
 * docs/audit.md, "Beyond the plan".
 */
#ifndef HAGG_SHARES_LEARNT_H
#define HAGG_SHARES_LEARNT_H

#include "plan/plan_patterns.h"
#include "sharing/sharing.h"

/* Clients with the same stations are a class. A form is 1 / den of the length of a vector. */
struct shares_learnt {
    const struct plan *plan;
    uint32_t n_colluding; /* stations */
    struct plan_patterns classes;
    uint64_t *n_clients;    /* by class */
    uint32_t *first_client; /* by class: its number */
    uint32_t **stations;    /* by class: numbers, ascending */
    uint64_t **learnt; /* by class: forms of a client, by number of its stations that collude */
    uint64_t den;
};

/* Nothing is learnt yet. The plan must outlive the result. The caller frees *s with
 * shares_learnt_free, also if it fails. */
int shares_learnt_new(struct shares_learnt *s, const struct plan *p, uint32_t n_colluding,
                      struct hagg_err *err);
void shares_learnt_free(struct shares_learnt *s);

/* Computes what is learnt in a plan with protocol aligned, from its matrices. */
int shares_learnt_aligned(struct shares_learnt *s, struct hagg_err *err);

/* Adds what the first a holders learn of a sharing, times n, for a up to most. Of a sharing by
 * points, other holders learn as much. */
int shares_learnt_add(uint64_t *learnt, const struct sharing *s, uint32_t most, uint64_t n,
                      struct hagg_err *err);

/* Returns the stations of a class, and as many of them as collude. */
uint32_t shares_learnt_stations(const struct shares_learnt *s, size_t class);
uint32_t shares_learnt_colluding(const struct shares_learnt *s, size_t class);

/* Returns the most forms that are learnt of a client of the class. */
uint64_t shares_learnt_most(const struct shares_learnt *s, size_t class);

#endif
