/*
 * inspect.h - what a stream of records holds, as a table and as JSON Lines. No key is needed, and
 * nothing is said of values.
 */
#ifndef HAGG_INSPECT_H
#define HAGG_INSPECT_H

#include "base/rangeset.h"
#include "reader.h"
#include "records/tally.h"
#include "base/text.h"
#include "records/verify.h"

/* What all records together hold. Begins all zero. */
struct inspect_summary {
    uint64_t n_files, n_records, n_unchecked;
    struct tally kinds, fields, rounds, patterns;
    struct rangeset clients;
};

/* Counts the record that was just verified. */
int inspect_count(struct inspect_summary *s, const struct reader *r, enum verify_result result,
                  struct hagg_err *err);

void inspect_summary_free(struct inspect_summary *s);

/* A line each, '\n' included. file is the name as the user gave it. */
void inspect_heading(struct text *t);
void inspect_row(struct text *t, const char *file, const struct reader *r,
                 enum verify_result result);
void inspect_json(struct text *t, const char *file, const struct reader *r,
                  enum verify_result result);

void inspect_summary_table(struct text *t, const struct inspect_summary *s);
void inspect_summary_json(struct text *t, const struct inspect_summary *s);

#endif
