/*
 * pass_on.h - passes on, as a courier, the records of clients that do not reach the stations that
 * the records are addressed to.
 *
 * The records are sealed and are not opened. The bytes of each are copied as they are.
 */
#ifndef HAGG_PASS_ON_H
#define HAGG_PASS_ON_H

#include "base/rangeset.h"
#include "plan/plan.h"
#include "records/outfiles.h"

struct pass_on_options {
    const struct plan *plan;
    uint32_t station;      /* the courier */
    const uint64_t *round; /* that the records must belong to; NULL for any */
    struct outfiles *out;  /* by number of the station that a record is addressed to */
};

struct pass_on;

/* The options, and what they name, must outlive the result. */
struct pass_on *pass_on_new(const struct pass_on_options *options, struct hagg_err *err);

/* p may be NULL. */
void pass_on_free(struct pass_on *p);

/* Copies all records of a file, "-" is standard input, that are addressed to other stations, and
 * ignores all others. The path must outlive the result. Fails if a record is damaged, if
 * record_check_carried refuses a record for another station, and with HAGG_E_MISMATCH if a client
 * sends a second record of one kind to one station, because the receiver would refuse both. */
int pass_on_add(struct pass_on *p, const char *path, struct hagg_err *err);

/* Facts about the records that were copied, to be reported. */
struct pass_on_report {
    size_t n_records;
    bool has_round;
    uint64_t round;                    /* of the first one */
    struct rangeset clients, stations; /* their senders and addressees */
};

/* After the last file. It is valid until pass_on_free. */
const struct pass_on_report *pass_on_report(struct pass_on *p);

#endif
