/*
 * decode.h - the federator's step: from sums of shares and keys to the sum of the vectors.
 */
#ifndef HAGG_DECODE_H
#define HAGG_DECODE_H

#include "decode/pattern.h"
#include "plan/plan.h"
#include "base/progress.h"
#include "base/rangeset.h"

struct decode_options {
    const struct plan *plan;        /* NULL: whatever plan the records were made under */
    const struct rangeset *clients; /* whose sum it must be; NULL: whatever the sums hold */
    bool correct;                   /* put wrong shares right */
    uint32_t minimum;               /* fewest clients in a total */
    struct parallel *pool;          /* NULL: one thread */
    struct progress *progress;      /* NULL: nobody looks */
};

/* A holder whose share was wrong, or not used. */
struct decode_blame {
    struct header_node holder;
    const char *file; /* lives as long as the decoding */
};

struct decode;

/* The options must outlive it. */
struct decode *decode_new(const struct decode_options *options, struct hagg_err *err);

/* NULL is fine. Wipes the total. */
void decode_free(struct decode *d);

/* Takes in all records of a file; "-" is standard input. */
int decode_add(struct decode *d, const char *path, struct hagg_err *err);

/* Decodes. HAGG_E_TOO_FEW: shares are missing; HAGG_E_MISMATCH: sums cover different clients,
 * or others than were asked for;
 * HAGG_E_PRIVACY: the total would be one of too few clients. */
int decode_run(struct decode *d, struct hagg_err *err);

/* After decode_run: the total, packed elements, and a header that says what it is. */
const void *decode_total(const struct decode *d);
const struct header *decode_header(const struct decode *d);
const struct field *decode_field(const struct decode *d);

/* The clients whose vectors are in it; none when the records do not say. */
const struct rangeset *decode_clients(const struct decode *d);

/* The next holder to blame, from *at = 0 on; false when there is none. */
bool decode_next_blame(const struct decode *d, size_t *at, struct decode_blame *blame);

/* Likewise the next whose sum lacks clients that others have, and so was not used. */
bool decode_next_left_out(const struct decode *d, size_t *at, struct decode_blame *blame);

#endif
