/*
 * total_error.h - what a quantisation does to a total.
 */
#ifndef HAGG_TOTAL_ERROR_H
#define HAGG_TOTAL_ERROR_H

#include "base/text.h"
#include "decode/total.h"

/* Sets the error of a total of report->n_clients, or of one if they are unknown. divisor is 0 for a
 * sum. */
void total_error_set(struct total_report *report, const struct header_quant *q, double divisor);

/* "the quantisation error is at most 1.53e-05"; nothing for integers. */
void total_error_describe(struct text *t, const struct total_report *report);

#endif
