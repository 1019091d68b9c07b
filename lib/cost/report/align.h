/*
 * align.h - columns of text under each other.
 */
#ifndef HAGG_COST_ALIGN_H
#define HAGG_COST_ALIGN_H

#include "base/text.h"

/* Appends lines, whose cells are separated by tabs, in columns: numbers to the right, words to the
 * left. */
void align_columns(struct text *out, const char *lines);

#endif
