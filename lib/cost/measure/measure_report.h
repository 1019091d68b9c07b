/*
 * measure_report.h - prints the result of a measurement.
 */
#ifndef HAGG_COST_MEASURE_REPORT_H
#define HAGG_COST_MEASURE_REPORT_H

#include "cost/measure/measure.h"

/* "client 3 to station 2: 100 symbols of vectors, predicted 96" */
void measure_report_difference(struct text *t, const struct measure_difference *d);

/* For people: a line for each kind of link and content, then the records not counted, then all
 * differences. */
void measure_report_table(struct text *t, const struct measure_result *result);

/* A heading and a line for each kind of link and content; the unit is symbols. */
void measure_report_tsv(struct text *t, const struct measure_result *result);

/* Everything, as one object on one line. */
void measure_report_json(struct text *t, const struct measure_result *result);

#endif
