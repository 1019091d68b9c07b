/*
 * measure_state.h - the state of a measurement, shared by measure.c and measure_compare.c.
 */
#ifndef HAGG_COST_MEASURE_STATE_H
#define HAGG_COST_MEASURE_STATE_H

#include "cost/measure/measure.h"
#include "records/verify.h"

/* A record that was sent. */
struct measure_sent {
    uint8_t digest[16]; /* of header and payload: identifies the record */
    struct flow flow;
    bool left_out;    /* its client does not take part */
    uint32_t courier; /* station that passes it on, or 0 */
    uint64_t n_symbols, n_seeds, n_bytes;
    uint64_t n_predicted_bytes; /* with a plan */
};

/* The first record of vectors or of keys, with which all later ones must agree. */
struct measure_anchor {
    struct header header;
    char *file; /* NULL: none yet */
};

struct measure {
    const struct measure_options *options;
    struct protocol *round;   /* with a plan: the round that the records must belong to */
    struct protocol *present; /* the same, of the clients that take part */
    struct flow_tiers tiers;
    struct verifier verifier;
    struct measure_anchor anchors[2];
    struct protocol_headers *headers[2]; /* of the records in the present round, by anchor */
    struct measure_sent *sent;
    size_t n_sent, max_sent;
    bool in_part; /* some records have parts of shares */
    uint64_t n_files, n_other_files, n_kept, n_rosters;
};

/* Sorts m->sent and fills rows and differences of the result. */
int measure_compare(struct measure *m, struct measure_result *result, struct hagg_err *err);

#endif
