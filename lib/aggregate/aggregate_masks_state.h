/*
 * aggregate_masks_state.h - a station's masks in an aggregation, for aggregate_masks_load.c which
 * takes them in and aggregate_masks.c which uses them.
 */
#ifndef HAGG_AGGREGATE_MASKS_STATE_H
#define HAGG_AGGREGATE_MASKS_STATE_H

#include "aggregate_masks.h"
#include "plan_patterns.h"

#define AGGREGATE_DIGEST_BYTES 16

/* For one pattern. */
struct mask {
    bool there;
    bool used; /* a client that remains shares over the pattern */
    struct header header;
    struct stored stored;
};

struct aggregate_masks {
    const char *path; /* "-": standard input */
    size_t file;      /* in the cache */
    struct plan_patterns patterns;
    struct mask *masks;     /* by pattern */
    const struct mask *any; /* one that is there */
    bool has_noise;
    struct stored noise; /* what the total is shared with */
    uint8_t id[16];      /* of the file */

    struct rangeset clients; /* that remain */
    struct header header;    /* of the total; clients are those above */
    struct header_range self;
    unsigned char *total; /* to be shared; NULL: it is a sum, or not asked for */
    size_t n_total, n_noise;

    uint8_t (*digests)[AGGREGATE_DIGEST_BYTES]; /* of records that were added as they came */
    size_t n_digests, max_digests;
};

#endif
