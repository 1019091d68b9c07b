/*
 * topology_integers.h - the lines about integers that clients share: integers and samples.
 */
#ifndef HAGG_TOPOLOGY_INTEGERS_H
#define HAGG_TOPOLOGY_INTEGERS_H

#include "topology/words.h"

/* Parses the words of a line "integers 0..5" or "integers u1". */
int topology_integers_line(struct words *w, struct topology_integers *bounds);

/* Parses the words of a line "samples" or "samples most=1000". */
int topology_integers_samples(struct words *w, uint64_t *most);

#endif
