/*
 * decode.h - the federator's step: decodes sums of shares, and subtracts the total of the keys.
 */
#ifndef HAGG_DECODE_H
#define HAGG_DECODE_H

#include "decode/pattern.h"
#include "plan/plan.h"
#include "base/progress.h"
#include "base/rangeset.h"
#include "state/state.h"

struct decode_options {
    struct opener *opener;          /* of sealed records; NULL for a plan without identities */
    const struct plan *plan;        /* NULL to accept only records made without a plan */
    const struct rangeset *clients; /* clients that the total must have; NULL for any */
    const uint64_t *asked_round;    /* round that all records must belong to; NULL for any */
    struct state *state;            /* what was decoded before; NULL to remember nothing */
    bool correct;                   /* True to correct wrong shares. */
    uint32_t minimum;               /* fewest clients in a total if there is no plan */
    struct parallel *pool;          /* NULL for one thread */
    struct progress *progress;      /* may be NULL */
};

/* A holder whose share was wrong. */
struct decode_blame {
    struct header_node holder;
    const char *file; /* valid until decode_free */
};

struct decode;

/* The options must outlive the result. */
struct decode *decode_new(const struct decode_options *options, struct hagg_err *err);

/* Wipes the total. d may be NULL. */
void decode_free(struct decode *d);

/* Adds all records of a file; "-" is standard input. */
int decode_add(struct decode *d, const char *path, struct hagg_err *err);

/* Decodes. HAGG_E_TOO_FEW if shares are missing; HAGG_E_MISMATCH if sums have different clients, or
 * not those of the options; HAGG_E_PRIVACY if the total would have too few clients, or if a total
 * of other clients was decoded in this round. The total is entered into the state. */
int decode_run(struct decode *d, struct hagg_err *err);

/* After decode_run: the total as packed elements, a header that describes it, and its field. All
 * are valid until decode_free. */
const void *decode_total(const struct decode *d);
const struct header *decode_header(const struct decode *d);
const struct field *decode_field(const struct decode *d);

/* Returns the plan of the options; NULL without one. */
const struct plan *decode_plan(const struct decode *d);

/* Returns the clients whose vectors are in the total; empty if the records do not list them. */
const struct rangeset *decode_clients(const struct decode *d);

/* Adds the holders whose sums are missing, of one sharing or of several, and returns their tier,
 * such as "station"; NULL on failure. To be called after decode_run. */
const char *decode_missing(const struct decode *d, struct rangeset *missing, struct hagg_err *err);

/* Finds the next holder of a wrong share and advances *at, which is initially 0; returns false if
 * there is none. */
bool decode_next_blame(const struct decode *d, size_t *at, struct decode_blame *blame);

#endif
