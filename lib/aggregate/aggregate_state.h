/*
 * aggregate_state.h - what an aggregation knows, for aggregate.c which collects the records and
 * aggregate_write.c which adds them.
 */
#ifndef HAGG_AGGREGATE_STATE_H
#define HAGG_AGGREGATE_STATE_H

#include "aggregate/aggregate.h"
#include "aggregate/contributors.h"
#include "protocol/protocol.h"
#include "records/stored.h"

/* Of one record at a time: read, hashed, checked and added while it is in the cache. Smaller blocks
 * cost more calls than a nearer cache saves, larger ones fall out of it. */
#define AGGREGATE_BLOCK_BYTES (1024u * 1024)
/* One sum. */
struct aggregate_sum {
    struct header header; /* of its first record */
    uint64_t n_elems;
    struct stored *members;
    size_t n_members, max_members;
    struct contributors clients;
    bool has_id;    /* all records have one */
    uint8_t id[16]; /* their XOR */
    bool has_mix;   /* likewise */
    uint8_t mix[16];
    unsigned char *from_pipes; /* the sum of what could not be read twice, or NULL */
    uint64_t n_touched;        /* elements of it that were written */
    bool skipped;              /* lacks a client, and is left out */
    struct aggregate_sum *next;
};

struct aggregate {
    const struct aggregate_options *options;
    struct protocol *round; /* with a plan: who takes part in it, and where sums go */
    struct field *field;
    struct filecache files;
    bool has_records;                   /* some record arrived, wanted or not */
    struct aggregate_sum *sums, **last; /* in order of coming */
    void *tree;                         /* of sums, by agree_compare */
    /* the first vector or share of one, and the first key: all must agree with both */
    struct {
        const struct header *header;
        size_t file;
    } anchors[2];
    unsigned char *block; /* two blocks a thread: what is added to, and what is read */
    size_t n_blocks;
};

#endif
