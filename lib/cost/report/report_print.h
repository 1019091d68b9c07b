/*
 * report_print.h - a report for people and for programs.
 */
#ifndef HAGG_COST_REPORT_PRINT_H
#define HAGG_COST_REPORT_PRINT_H

#include "base/json.h"
#include "cost/report/report.h"

/* Columns under each other; the links of the plan itself in bytes if the length is known. */
void report_print_table(const struct report *r, struct text *text);

/* A heading and a line for every number. */
void report_print_tsv(const struct report *r, struct text *text);

/* The members of an object, which the caller opens and closes. */
void report_print_json(const struct report *r, struct json *j);

/* A script for gnuplot that draws what each protocol sends over each kind of link. */
void report_print_gnuplot(const struct report *r, struct text *text);

/* Whether any row sends over this kind of link. */
bool report_uses_link(const struct report *r, enum sheet_link link);

/* Bytes of so many symbols. */
void report_bytes(mpz_t bytes, const struct report *r, const mpz_t n_symbols);

/* By how much symbols are more than the multiples of the vector say, because parts are filled up.
 */
void report_filling(mpq_t filling, const struct report *r, const struct sheet_line *line);

#endif
