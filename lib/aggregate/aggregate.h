/*
 * aggregate.h - adds up what may be added: shares of one sharing with the same index, and keys.
 *
 * Files are first only looked at, header by header; then every sum is made in one pass, a block of
 * each of its records at a time. What comes through a pipe is added as it comes, into memory.
 */
#ifndef HAGG_AGGREGATE_H
#define HAGG_AGGREGATE_H

#include "records/outfiles.h"
#include "plan/plan.h"
#include "base/progress.h"
#include "base/rangeset.h"

enum aggregate_only { AGGREGATE_ALL, AGGREGATE_SHARES, AGGREGATE_KEYS };

struct aggregate_options {
    const struct plan *plan;        /* NULL: records agree among themselves, that is all */
    uint32_t via;                   /* relay for the total of the keys; 0: the plan's */
    uint32_t station, relay;        /* whose work this is: records must be addressed so; 0: any */
    const struct rangeset *clients; /* these only; NULL: all that come */
    const struct rangeset *missing; /* stations that the chain of keys passes over; NULL: none */
    enum aggregate_only only;
    bool
        skip_incomplete; /* full collusion: leave out sums that lack a client, instead of failing */
    bool unsafe_plan;    /* full collusion: take sets that are known not to be private */
    struct parallel *pool;     /* NULL: one thread */
    struct progress *progress; /* NULL: nobody looks */
};

struct aggregate;

/* The options must outlive it. */
struct aggregate *aggregate_new(const struct aggregate_options *options, struct hagg_err *err);

/* NULL is fine. Wipes what is secret. */
void aggregate_free(struct aggregate *a);

/* Takes in all records of a file; "-" is standard input. HAGG_E_MISMATCH for a record that does not
 * belong to those before, with both files named. */
int aggregate_add(struct aggregate *a, const char *path, struct hagg_err *err);

/* Makes the sums and writes each where it goes next, which may be none: what came is for others, or
 * all of it was left out. HAGG_E_TOO_FEW when not all came that a sum must hold or, with a plan,
 * nothing where something should have. */
int aggregate_write(struct aggregate *a, struct outfiles *out, struct hagg_err *err);

/* How many sums were left out because they lack a client. */
size_t aggregate_n_skipped(const struct aggregate *a);

#endif
