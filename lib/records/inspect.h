/*
 * inspect.h - describes the records of a stream as a table or as JSON Lines. It needs no key and
 * prints no values.
 */
#ifndef HAGG_INSPECT_H
#define HAGG_INSPECT_H

#include "base/rangeset.h"
#include "reader.h"
#include "records/tally.h"
#include "base/text.h"
#include "records/verify.h"

/* Summary of all records. Initialise to all zero. */
struct inspect_summary {
    uint64_t n_files, n_records, n_unchecked, n_sealed;
    struct tally kinds, fields, rounds, patterns;
    struct rangeset clients;
};

/* Adds the record that was just verified to the summary. */
int inspect_count(struct inspect_summary *s, const struct reader *r, enum verify_result result,
                  struct hagg_err *err);

void inspect_summary_free(struct inspect_summary *s);

/* Each appends one line, including '\n'. file is the name as given by the user. */
void inspect_heading(struct text *t);
void inspect_row(struct text *t, const char *file, const struct reader *r,
                 enum verify_result result);
void inspect_json(struct text *t, const char *file, const struct reader *r,
                  enum verify_result result);

void inspect_summary_table(struct text *t, struct inspect_summary *s);
void inspect_summary_json(struct text *t, struct inspect_summary *s);

#endif
