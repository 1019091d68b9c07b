/*
 * gnuplot.h - what scripts for gnuplot have in common.
 */
#ifndef HAGG_COST_GNUPLOT_H
#define HAGG_COST_GNUPLOT_H

#include "base/text.h"

/* The beginning: SVG on standard output, or PNG if the variable png is set. */
void gnuplot_begin(struct text *text);

/* The command that sets the title, in as many lines as the canvas needs. The title has neither
 * quotes nor backslashes. */
void gnuplot_title(struct text *text, const char *title);

#endif
