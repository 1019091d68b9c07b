/*
 * needs.h - which layers of a round need which others.
 */
#ifndef HAGG_ROUND_NEEDS_H
#define HAGG_ROUND_NEEDS_H

#include "round/round.h"

/* Sets needs of the round from the files of its steps. */
int needs_find(struct round *r, struct hagg_err *err);

#endif
