/*
 * audit.h - whether a plan is private: for every set of colluders that it allows, exactly what they
 * learn together.
 *
 * docs/audit.md has the mathematics, and why not every set has to be looked at by itself.
 */
#ifndef HAGG_AUDIT_H
#define HAGG_AUDIT_H

#include "audit/coalition.h"
#include "audit/learnt.h"
#include "base/parallel.h"
#include "plan/plan.h"
#include "base/progress.h"

/* How many may collude, and who with whom. */
struct audit_bounds {
    bool full; /* or partial: clients with stations, or with relays and the federator */
    uint32_t clients, stations, relays;
    uint32_t missing; /* clients that may be left out of the sums */
};

/* What the plan promises. */
struct audit_bounds audit_bounds_of(const struct plan *p);

struct audit_options {
    uint64_t n_samples; /* this many sets, chosen at random, instead of all; 0: all */
    uint64_t seed;
    size_t max_leaks;   /* stop when so many are found; at least 1 */
    size_t max_columns; /* of the system of one set; LEARNT_COLUMNS unless it may be left open */
    bool each;          /* look at every profile of set by itself, whatever can be proved at once */
    struct parallel *pool; /* NULL: one thread */
    struct progress *progress;
};

/* A set of colluders from which nobody can be left out, and what it learns. */
struct audit_leak {
    struct coalition who;
    struct learnt learnt;
};

struct audit_result {
    uint64_t n_sets; /* that the bounds allow, if none is part of another; UINT64_MAX: or more */
    uint64_t n_checked;
    bool sampled;
    bool stopped; /* at max_leaks: there may be more */
    struct audit_leak *leaks;
    size_t n_leaks;
};

/* HAGG_E_USAGE when there are too many sets to look at and structure does not help. */
int audit_run(struct audit_result *r, const struct model *m, const struct audit_bounds *bounds,
              const struct audit_options *options, struct hagg_err *err);

/* One set; it need not be one that a plan allows. */
int audit_one(struct audit_result *r, const struct model *m, const struct coalition *who,
              struct hagg_err *err);

void audit_result_free(struct audit_result *r);

/* Which of the bounds is to be found. */
enum audit_party { AUDIT_CLIENTS, AUDIT_STATIONS, AUDIT_RELAYS };

/* The most of one party that may collude while the other bounds stay as they are. */
struct audit_most {
    bool none;     /* not even 0 */
    bool at_least; /* more could not be decided */
    uint32_t n;
};

int audit_max(struct audit_most *most, const struct model *m, const struct audit_bounds *bounds,
              enum audit_party party, const struct audit_options *options, struct hagg_err *err);

#endif
