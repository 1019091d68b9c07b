/*
 * align.h - aligns text in columns.
 */
#ifndef HAGG_COST_ALIGN_H
#define HAGG_COST_ALIGN_H

#include "base/text.h"

/* Appends lines whose cells are separated by tabs, in columns: numbers right-aligned, words
 * left-aligned. */
void align_columns(struct text *out, const char *lines);

#endif
