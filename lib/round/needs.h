/*
 * needs.h - which layers of a round need which others, and what the part of a node needs from other
 * nodes.
 */
#ifndef HAGG_ROUND_NEEDS_H
#define HAGG_ROUND_NEEDS_H

#include "round/round.h"

/* Sets needs and awaited of the round from the files of its steps. */
int needs_find(struct round *r, struct hagg_err *err);

/* Returns true if the file is among those that the part of a node awaits. */
bool needs_awaits(const struct round *r, const char *name);

#endif
