/*
 * measure.h - counts what was sent, from the records that were written, and compares it with the
 * plan.
 *
 * A record counts as sent if it names an addressee other than its sender. Keys that are kept by
 * their client and sums without an addressee do not count. If the same record is found twice,
 * because both its sender and its addressee keep the file, it counts once. A record that a courier
 * passes on is sent twice, so with a plan, which names the courier, two copies of it count: the
 * first as sent to the courier, the second as sent by the courier. Payloads are read block by
 * block, and digests and elements are verified. Only a few numbers are stored per record.
 *
 * The bytes of a record follow from its message and from what records show of a round that is not
 * in the plan: its number, the shape and type of the vectors, and whether there are identifiers. If
 * nodes are missing, the sets of nodes whose contributions are in a sum are also those that the
 * record shows.
 */
#ifndef HAGG_COST_MEASURE_H
#define HAGG_COST_MEASURE_H

#include "cost/measure/flow.h"
#include "protocol/protocol.h"
#include "base/text.h"

struct measure_options {
    const struct plan *plan; /* NULL: count only */
    /* With a plan. Records of clients that do not take part are counted separately. Messages that
     * depend on missing stations or relays may have been sent or not. */
    struct protocol_presence presence;
};

struct measure;

/* The options must outlive it. */
struct measure *measure_new(const struct measure_options *options, struct hagg_err *err);

/* m may be NULL. */
void measure_free(struct measure *m);

/* Adds the records of a file, of standard input for "-", or of all regular files below a directory,
 * where files without records are skipped. With a plan, HAGG_E_MISMATCH for a record of another
 * plan or of another round than the records before. */
int measure_add(struct measure *m, const char *path, struct hagg_err *err);

struct measure_count {
    uint64_t n_records, n_symbols;
    uint64_t n_seeds;        /* records without symbols */
    uint64_t n_bytes;        /* of the records */
    unsigned __int128 price; /* in 1 / price_unit of the result; 0 without prices */
};

/* One kind of link and content. */
struct measure_row {
    const char *from, *to; /* tiers; from is empty for records without a sender */
    enum flow_what what;
    struct measure_count sent, predicted;
};

/* A flow between two nodes in which sent and predicted differ. */
struct measure_difference {
    struct header_node from, to;
    enum flow_what what;
    struct measure_count sent, predicted;
};

struct measure_result {
    bool has_plan;
    struct measure_row *rows; /* in the order of a round */
    size_t n_rows;
    struct measure_count sent, predicted; /* totals */
    struct measure_difference *differences;
    size_t n_differences;
    uint64_t length;                 /* of the vectors, with a plan */
    uint64_t price_unit;             /* 0 without a plan with prices */
    uint64_t n_files, n_other_files; /* others: files without records */
    uint64_t n_kept;                 /* records that were not sent */
    uint64_t n_rosters;              /* reports and rosters, which contain no vector */
    uint64_t n_duplicates;           /* copies of records already counted */
    struct measure_count left_out;   /* from clients that do not take part */
};

/* No record can be added after this. The result points into m, which must outlive it.
 * HAGG_E_TOO_FEW if no record was sent. */
int measure_finish(struct measure *m, struct measure_result *result, struct hagg_err *err);

void measure_result_free(struct measure_result *result);

/* 0 if there is no difference; otherwise HAGG_E_MISMATCH with the first difference and the number
 * of others. */
int measure_verdict(const struct measure_result *result, struct hagg_err *err);

#endif
