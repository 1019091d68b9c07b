/*
 * gnuplot.h - the beginning of every script for gnuplot.
 */
#ifndef HAGG_COST_GNUPLOT_H
#define HAGG_COST_GNUPLOT_H

#include "text.h"

/* SVG on standard output, or PNG if the variable png is set. */
void gnuplot_begin(struct text *text);

#endif
