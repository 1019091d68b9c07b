/*
 * aggregate.h - adds up shares with the same pattern and index, and keys.
 *
 * First the headers of all files are read. Then each sum is computed in one pass over its records,
 * block by block. Records from a pipe are added when they arrive, in memory.
 */
#ifndef HAGG_AGGREGATE_H
#define HAGG_AGGREGATE_H

#include "records/outfiles.h"
#include "plan/plan.h"
#include "records/runs.h"
#include "base/progress.h"
#include "base/rangeset.h"
#include "state/state.h"

enum aggregate_only { AGGREGATE_ALL, AGGREGATE_SHARES, AGGREGATE_KEYS };

struct aggregate_options {
    struct opener *opener;   /* of sealed records; NULL for a plan without identities */
    const struct plan *plan; /* NULL to check only that records agree with each other */
    uint32_t via; /* relay for the total of the keys, or the aligned sum; 0 for that of the plan */
    uint32_t station, relay;        /* the node that records must be addressed to; 0 for any */
    const struct rangeset *clients; /* to add up; NULL for all of the plan, or all that arrive */
    const struct runs *runs; /* of hagg-share, that records of clients must be from; or NULL */
    const struct rangeset *dealers; /* whose masks to add; NULL for all of the plan */
    const struct rangeset *missing; /* stations that the chain of keys skips, or without which the
                                       aligned total is decoded; NULL for none */
    /* To send prefixes of shares, or to let sums of protocol aligned stand by: the nodes of this
     * tier that are present, and those that were when something was sent before; one that was not
     * sends all that is required. NULL to send whole shares and all sums, and if nothing was sent.
     */
    const struct rangeset *present, *after;
    const uint64_t *asked_round; /* round that all records must belong to; NULL for any */
    bool has_roster;             /* True if clients are those of a roster. */
    struct state *state;         /* what was sent before; NULL to remember nothing */
    enum aggregate_only only;
    bool skip_incomplete;      /* True to send nothing for sums that lack a client, not fail. */
    bool unsafe_plan;          /* True to accept a plan that is not private. */
    struct parallel *pool;     /* NULL for one thread */
    struct progress *progress; /* may be NULL */
};

struct aggregate;

/* The options must outlive the result. */
struct aggregate *aggregate_new(const struct aggregate_options *options, struct hagg_err *err);

/* Wipes all secrets. a may be NULL. */
void aggregate_free(struct aggregate *a);

/* Adds all records of a file; "-" is standard input. HAGG_E_MISMATCH names both files if a record
 * does not belong to the ones before. */
int aggregate_add(struct aggregate *a, const char *path, struct hagg_err *err);

/* Computes the sums and writes each to its next destination. There may be no sum, if no record was
 * wanted or all sums were skipped. Before anything is written, the sums are entered into the state:
 * HAGG_E_PRIVACY if the node has sent other sums in this round. HAGG_E_TOO_FEW if a record that
 * must be in a sum is missing or, with a plan, if there are no records although some should have
 * arrived. */
int aggregate_write(struct aggregate *a, struct outfiles *out, struct hagg_err *err);

/* Facts about the sums that were written, to be reported. */
struct aggregate_report {
    size_t n_sums;
    bool has_round;
    uint64_t round;
    struct rangeset clients, dealers; /* of all sums together */
    bool to_federator;                /* who they are addressed to */
    struct rangeset to_stations, to_relays;
};

/* After aggregate_write. It is valid until aggregate_free. */
const struct aggregate_report *aggregate_report(const struct aggregate *a);

/* Returns how many sums were skipped because they lack a client. */
size_t aggregate_n_skipped(const struct aggregate *a);

/* Returns of how many sums nothing was written because it was sent before: see after. */
size_t aggregate_n_sent_before(const struct aggregate *a);

/* Returns how many sums of protocol aligned were not written because they stand by: see present. */
size_t aggregate_n_standing_by(const struct aggregate *a);

#endif
