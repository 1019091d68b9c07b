/*
 * measure.h - counts what was really sent, from the records that were written, and holds it against
 * what the plan says is sent.
 *
 * A record is sent if it says to whom it goes and that is not its sender; keys that stay where they
 * were made, and sums that name no addressee, are not. The same record met twice, as a file that
 * both its sender and its addressee keep, was sent once. Payloads are read, and digests and
 * elements verified, in one block; what is kept of a record is a few numbers.
 */
#ifndef HAGG_COST_MEASURE_H
#define HAGG_COST_MEASURE_H

#include "cost/measure/flow.h"
#include "protocol/protocol.h"
#include "base/text.h"

struct measure_options {
    const struct plan *plan; /* NULL: count only */
    /* With a plan. What clients that do not take part have sent is counted apart. What depends on
     * stations or relays that are out may have been sent or not. */
    struct protocol_presence presence;
};

struct measure;

/* The options must outlive it. */
struct measure *measure_new(const struct measure_options *options, struct hagg_err *err);

/* NULL is fine. */
void measure_free(struct measure *m);

/* Takes in the records of a file, "-" for standard input, or of all regular files below a
 * directory, where those that hold no records are passed over. HAGG_E_MISMATCH for a record of
 * another plan or round than the others, if there is a plan. */
int measure_add(struct measure *m, const char *path, struct hagg_err *err);

struct measure_count {
    uint64_t n_records, n_symbols;
    uint64_t n_payload_bytes, n_wire_bytes; /* 0 of what is predicted */
};

/* One kind of link, and what it carries. */
struct measure_row {
    const char *from, *to; /* tiers; the first is empty for records that name no sender */
    enum flow_what what;
    struct measure_count sent, predicted;
};

/* Between two nodes. */
struct measure_difference {
    struct header_node from, to;
    enum flow_what what;
    struct measure_count sent, predicted;
};

struct measure_result {
    bool has_plan;
    struct measure_row *rows; /* in the order of a round */
    size_t n_rows;
    struct measure_count sent, predicted; /* in all */
    struct measure_difference *differences;
    size_t n_differences;
    uint64_t length;                 /* of the vectors, with a plan */
    uint64_t n_files, n_other_files; /* the latter hold no records */
    uint64_t n_kept;                 /* records that go to nobody else */
    uint64_t n_twice;                /* that were met before */
    struct measure_count left_out;   /* from clients that do not take part */
};

/* Afterwards nothing can be added. The result refers to the measure. HAGG_E_TOO_FEW when nothing
 * was sent at all. */
int measure_finish(struct measure *m, struct measure_result *result, struct hagg_err *err);

void measure_result_free(struct measure_result *result);

/* HAGG_E_MISMATCH, with one difference and how many more there are, unless there is none. */
int measure_verdict(const struct measure_result *result, struct hagg_err *err);

#endif
