/*
 * gnuplot.h - common parts of gnuplot scripts.
 */
#ifndef HAGG_COST_GNUPLOT_H
#define HAGG_COST_GNUPLOT_H

#include "base/text.h"

/* The start of a script: SVG on standard output, or PNG if the variable png is set. */
void gnuplot_begin(struct text *text);

/* The command that sets the title, wrapped to fit the canvas. The title must not contain quotes or
 * backslashes. */
void gnuplot_title(struct text *text, const char *title);

#endif
