/*
 * aggregate_rows.h - the payload of a station's sum of protocol aligned: for each of its intervals
 * one row, the sum of the rows of all clients whose blocks contain it, and of the masks.
 */
#ifndef HAGG_AGGREGATE_ROWS_H
#define HAGG_AGGREGATE_ROWS_H

#include "aggregate/aggregate_state.h"
#include "plan/plan_aligned.h"
#include "records/rows.h"

/* One kind of input of a sum: the clients with one part count, or a dealer. */
struct aggregate_input {
    struct aggregate_sum *g;
    uint32_t parts; /* segments of a block; 0 for a dealer */
    size_t dealer;  /* index in the plan's list */
    /* For aggregate_rows_read: */
    struct aggregate *a;
    uint64_t at; /* elements read so far */
    struct rows rows;
};

struct aggregate_inputs {
    struct aggregate_input *inputs; /* clients first */
    size_t n, n_clients;
};

/* Returns the number of elements of the payload. length is that of the vectors. */
uint64_t aggregate_rows_elems(const struct plan_aligned *p, uint32_t holder, uint64_t length);

/* Reads the next elements of the sum of all records of an input. A function for rows_new. */
int aggregate_rows_read(void *input, void *to, size_t n_elems, struct hagg_err *err);

/* Writes the payload of the record that was begun, and ends it. */
int aggregate_rows_write(struct aggregate *a, uint32_t holder, uint64_t length,
                         struct aggregate_inputs *inputs, struct writer *w, struct hagg_err *err);

#endif
