/*
 * report_print.h - prints a report for people and for programs.
 */
#ifndef HAGG_COST_REPORT_PRINT_H
#define HAGG_COST_REPORT_PRINT_H

#include "base/json.h"
#include "cost/report/report.h"

/* For people: aligned columns. The links of the plan are given in bytes if the length is known. */
void report_print_table(const struct report *r, struct text *text);

/* A heading and one line per number. */
void report_print_tsv(const struct report *r, struct text *text);

/* Prints the members of an object, which the caller opens and closes. */
void report_print_json(const struct report *r, struct json *j);

/* A gnuplot script that draws the cost of each protocol by kind of link. */
void report_print_gnuplot(const struct report *r, struct text *text);

/* True if any row sends over this kind of link. */
bool report_uses_link(const struct report *r, enum topology_link link);

/* True if any row has seeds, sent or only drawn. Only then are numbers of seeds printed. */
bool report_has_seeds(const struct report *r);

/* True if the bytes of the records of any row are known. */
bool report_has_bytes(const struct report *r);

/* The shape of the vectors in these records. */
size_t report_n_shape(const struct report *r);
uint64_t report_dimension(const struct report *r, size_t i);

/* The number of symbols beyond the multiples of the vector, due to the padding of parts. */
void report_filling(mpq_t filling, const struct report *r, const struct sheet_line *line);

/* The table of random symbols, with tabs between columns: report_draws.c. */
void report_print_draws(const struct report *r, struct text *text);

/* True if any row has random vectors of these nodes. */
bool report_uses_draws(const struct report *r, enum sheet_draws who);

/* "clients" */
const char *report_draws_name(enum sheet_draws who);

#endif
