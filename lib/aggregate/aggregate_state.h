/*
 * aggregate_state.h - internals shared by aggregate.c, which collects the records,
 * aggregate_complete.c and aggregate_write.c, which adds them up.
 */
#ifndef HAGG_AGGREGATE_STATE_H
#define HAGG_AGGREGATE_STATE_H

#include "aggregate/aggregate.h"
#include "aggregate/contributors.h"
#include "aggregate/selection.h"
#include "protocol/protocol.h"
#include "records/stored.h"
#include "state/state_sum.h"
#include "writer.h"

/* A block of a record is read, hashed, checked and added while it is in the cache. Smaller blocks
 * cost more in calls than a faster cache saves; larger ones do not fit. */
#define AGGREGATE_BLOCK_BYTES (1024u * 1024)
/* The longest vector, in elements, of which all records of a sum may be seeds without a length in
 * the plan. */
#define AGGREGATE_SEED_LENGTH (UINT64_C(1) << 28)

struct aggregate_sum {
    struct header header; /* of its first record */
    size_t file;          /* of its first record */
    uint64_t n_elems;
    struct stored *members;
    size_t n_members, max_members;
    struct contributors clients;
    struct state_parts parts; /* the same clients, and the runs that their shares are from */
    bool has_id;              /* True if all records have an id. */
    uint8_t id[16];           /* XOR of the ids */
    bool has_mix;             /* the same for mix */
    uint8_t mix[16];
    unsigned char *from_pipes; /* the sum of the records from pipes, or NULL */
    uint64_t n_touched;        /* elements of from_pipes that were written, and must be wiped */
    bool skipped;              /* True if it lacks a client and is omitted. */
    struct aggregate_sum *next;
};

/* Protocol aligned: what a station sends, for the state. */
struct aggregate_claim {
    struct header_node node;
    struct state_sum sum;
    bool skipped; /* True if it sends nothing; then sum is not set. */
    struct aggregate_claim *next;
};

struct aggregate {
    const struct aggregate_options *options;
    struct protocol *round;      /* of the plan; NULL without one */
    struct selection *selection; /* of symbols; NULL to send all */
    struct field *field;
    struct filecache files;
    bool has_records; /* True if any record arrived, wanted or not. */
    bool has_elems;   /* True if one of them had its elements, and not a seed. */
    struct aggregate_claim *claims;
    size_t n_sent_before; /* sums of which nothing is left to send */
    size_t n_standing_by; /* sums that are sent only if others do not arrive */
    struct mac *mac;      /* for the parts of sums; NULL before the first one that is remembered */
    struct aggregate_sum *sums, **last; /* in order of arrival */
    void *tree;                         /* of sums, by agree_compare */
    /* The first record of a vector and the first of a key: all must agree with both. */
    struct {
        const struct header *header;
        size_t file;
    } anchors[2];
    struct aggregate_report report;
    unsigned char *block; /* two blocks per thread: a sum, and the block that is read */
    size_t n_blocks;
};

/* Sets sum to elements at .. at + n - 1 of the sum of all records, n at most AGGREGATE_BLOCK_BYTES.
 * at must be where the last call ended. */
int aggregate_next(struct aggregate *a, struct aggregate_sum *g, uint64_t at, size_t n, void *sum,
                   struct hagg_err *err);

/* Writes these symbols of the sum of all records as the payload of the record that was begun, and
 * ends it. */
int aggregate_copy(struct aggregate *a, struct aggregate_sum *g,
                   const struct selection_symbols *symbols, struct writer *w, struct hagg_err *err);

/* Counts a sum with this header as written. */
int aggregate_report_add(struct aggregate *a, const struct header *h, struct hagg_err *err);

void aggregate_report_free(struct aggregate_report *r);

#endif
