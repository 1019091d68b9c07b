/*
 * certificate_histogram.h - a bar chart as SVG. Used by certificate_drawing.c only.
 */
#ifndef HAGG_CERTIFICATE_HISTOGRAM_H
#define HAGG_CERTIFICATE_HISTOGRAM_H

#include "base/text.h"
#include "err.h"

/* Draws the numbers values[first .. last]. With sum, neighbours are added up if there are too many
 * bars; otherwise the largest of them is drawn. title names the chart, axis the horizontal axis. */
void histogram_draw(const uint64_t *values, size_t first, size_t last, bool sum, const char *id,
                    const char *title, const char *axis, struct text *text);

#endif
