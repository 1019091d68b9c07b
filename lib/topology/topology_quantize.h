/*
 * topology_quantize.h - the words of a quantize line.
 */
#ifndef HAGG_TOPOLOGY_QUANTIZE_H
#define HAGG_TOPOLOGY_QUANTIZE_H

#include "topology/words.h"

/* Parses the words after the first. *bits_max is set for bits=max, and q->bits is then 0. */
int topology_quantize_line(struct words *w, struct header_quant *q, bool *bits_max);

#endif
