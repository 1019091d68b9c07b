/*
 * measure_report.h - shows what a measurement has found.
 */
#ifndef HAGG_COST_MEASURE_REPORT_H
#define HAGG_COST_MEASURE_REPORT_H

#include "cost/measure/measure.h"

/* "client 3 to station 2: 100 symbols of vectors, predicted 96" */
void measure_report_difference(struct text *t, const struct measure_difference *d);

/* For a person: a line for each kind of link and what it carries, then what was not counted, then
 * all differences. */
void measure_report_table(struct text *t, const struct measure_result *result);

/* A heading and a line for each kind of link and what it carries, all in one unit: symbols. */
void measure_report_tsv(struct text *t, const struct measure_result *result);

/* All of it, as one object on one line. */
void measure_report_json(struct text *t, const struct measure_result *result);

#endif
