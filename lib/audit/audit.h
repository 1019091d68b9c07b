/*
 * audit.h - decides whether a plan is private: for every set of colluders that it allows, exactly
 * what they learn together.
 *
 * docs/audit.md has the mathematics, and explains why not every set has to be examined separately.
 */
#ifndef HAGG_AUDIT_H
#define HAGG_AUDIT_H

#include "audit/coalition.h"
#include "audit/learnt.h"
#include "audit/require.h"
#include "base/parallel.h"
#include "plan/plan.h"
#include "base/progress.h"

/* How many nodes of each tier may collude, and which tiers with each other. */
struct audit_bounds {
    bool full; /* false: partial, clients with stations, or with relays and the federator */
    uint32_t clients, stations, relays;
    uint32_t missing; /* clients that may be missing from the sums */
    uint32_t minimum; /* fewest clients in a total; only audit_report_max uses it */
    /* True if relays pass on what the federator sees: they may learn the total, and nothing that it
     * does not learn. */
    bool relays_see_total;
};

/* The bounds of the plan's collude and drop lines. */
struct audit_bounds audit_bounds_of(const struct plan *p);

struct audit_options {
    uint64_t n_samples; /* examine this many random sets; 0: all sets */
    uint64_t seed;
    size_t max_leaks;      /* stop after this many; at least 1 */
    size_t max_columns;    /* limit for one set: LEARNT_COLUMNS, or less if it may stay undecided */
    bool each;             /* examine every set separately, even if a proof covers many at once */
    uint64_t n_verify;     /* check a proof by elimination on this many random sets */
    struct parallel *pool; /* NULL: one thread */
    struct progress *progress;
};

/* A minimal set of colluders that learns too much, and what it learns. */
struct audit_leak {
    struct coalition who;
    struct learnt learnt;
};

/* How the sets of a side were decided. */
enum audit_how {
    AUDIT_OPEN,    /* not, or not all of them */
    AUDIT_PROVED,  /* all at once, by the structure of the plan */
    AUDIT_SEARCHED /* each by elimination, of equivalent ones only one */
};

/* The section of docs/audit.md with the proof that was used. */
enum audit_lemma {
    AUDIT_NO_LEMMA,
    AUDIT_LEMMA_ALIGNED, /* "Protocol aligned" */
    AUDIT_LEMMA_KEYS,    /* "Protocol keys: all coalitions at once" */
};

/* The sets with, or without, the federator and up to these numbers of nodes, and how they were
 * decided. Together the sides are all sets that the bounds allow. */
struct audit_side {
    bool federator;
    uint32_t clients, stations, relays, missing;
    enum audit_how how;
    uint64_t n_sets;    /* maximal sets, with clients counted individually; UINT64_MAX: that many or
                           more */
    uint64_t n_checked; /* those decided, directly or by an equivalent one */
};

#define AUDIT_SIDES 6

struct unlimited;
struct beyond;
struct promises;

struct audit_result {
    uint64_t n_sets; /* maximal sets that the bounds allow; UINT64_MAX: that many or more */
    uint64_t n_checked;
    bool sampled;   /* n_checked sets were chosen at random, some perhaps more than once */
    bool stopped;   /* the search ended early: there may be more leaks */
    bool timed_out; /* it ended because the time was up: n_checked sets of n_sets are decided */
    struct audit_side sides[AUDIT_SIDES]; /* empty for audit_one and with sampled */
    size_t n_sides;
    enum audit_lemma lemma;    /* used for the sides that are proved */
    uint64_t n_verified;       /* random sets for which elimination confirmed the proof */
    size_t n_verified_clients; /* most clients in the system of one of these sets; fewer than the
                                  plan has if it was restricted to a part of the network */
    struct audit_leak *leaks;
    size_t n_leaks;
    bool one;              /* by audit_one: nothing is known about the plan as a whole */
    bool alone;            /* each single node was examined */
    bool relays_see_total; /* as in the bounds: relays were not examined */
    /* Why the plan is not private although no coalition learns too much, such as a minimum that is
     * too low; NULL: there is no such reason. Not owned. */
    const char *objection;
    const struct require *required; /* conditions that were judged; NULL: none. Not owned. */
    /* Of the plan, proved or not; by audit_one, the one about this coalition. NULL: none. Not
     * owned. */
    const struct promises *promises;
    const struct beyond *beyond; /* what larger coalitions learn; NULL: not asked. Not owned. */
    /* In a plan with seeds: */
    struct unlimited *unlimited; /* set by audit_seeds; NULL otherwise */
    /* By audit_one: what the coalition would learn with the seeds of everybody. */
    bool has_unlimited;
    struct learnt with_seeds;
};

/* The caller frees *r. HAGG_E_USAGE if no proof applies and there are too many sets to examine
 * each. When the time of m is up, the remaining sets stay open, and leaks found until then are
 * reported. */
int audit_run(struct audit_result *r, const struct model *m, const struct audit_bounds *bounds,
              const struct audit_options *options, struct hagg_err *err);

/* Adds what each single station, each single relay and the federator alone learn, also if the
 * bounds do not allow one of them to collude. To be called after audit_run, with the same
 * arguments. Frees nothing on failure. */
int audit_alone(struct audit_result *r, const struct model *m, const struct audit_bounds *bounds,
                const struct audit_options *options, struct hagg_err *err);

/* In a plan with seeds, finds out against whom privacy is information-theoretic: unlimited.h. To be
 * called after audit_run, with the same arguments. Frees nothing on failure. */
int audit_seeds(struct audit_result *r, const struct model *m, const struct audit_bounds *bounds,
                struct hagg_err *err);

/* After a proof, checks what it rests on by elimination on options->n_verify random sets, and sets
 * n_verified: docs/audit.md, "Verification". HAGG_E_PRIVACY if elimination contradicts the proof.
 * To be called after audit_run and audit_seeds, with the same m and options. Frees nothing on
 * failure. */
int audit_verify(struct audit_result *r, const struct model *m, const struct audit_options *options,
                 struct hagg_err *err);

/* Examines one set, which need not be one that the plan allows. With protocol aligned, a set with a
 * relay may learn the total. In a plan with seeds, sets with_seeds, too. */
int audit_one(struct audit_result *r, const struct model *m, const struct coalition *who,
              struct hagg_err *err);

void audit_result_free(struct audit_result *r);

/* The bound to be maximised. */
enum audit_party { AUDIT_CLIENTS, AUDIT_STATIONS, AUDIT_RELAYS };

/* The largest number of one party that may collude while the other bounds are unchanged, if no
 * clients but the missing ones are left out of a total. */
struct audit_most {
    bool none;     /* the plan is not private even with 0 */
    bool at_least; /* n is private; a larger number could not be decided */
    uint32_t n;
};

/* With m from model_build_sums, AUDIT_CLIENTS is quick and exact, however many clients there are,
 * if the structure of the plan proves that only sums are learnt, as it does for plans that
 * hagg-plan makes. AUDIT_RELAYS with relays_see_total: all or none. */
int audit_max(struct audit_most *most, const struct model *m, const struct audit_bounds *bounds,
              enum audit_party party, const struct audit_options *options, struct hagg_err *err);

#endif
