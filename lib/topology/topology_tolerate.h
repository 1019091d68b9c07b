/*
 * topology_tolerate.h - promises about more colluding stations than learn nothing: "tolerate 1/4 at
 * 3" promises that 3 stations learn at most a quarter of any vector, besides the total.
 *
 * A sharing over n stations has as few random vectors as these promises allow. This is the only
 * place where their number is determined.
 */
#ifndef HAGG_TOPOLOGY_TOLERATE_H
#define HAGG_TOPOLOGY_TOLERATE_H

#include "topology/topology.h"
#include "topology/words.h"

/* Returns the largest number of colluding stations that a promise is about: those of the last
 * promise or, without promises, those that learn nothing. */
uint32_t topology_tolerate_most(const struct topology *t);

/* Returns the random vectors of a sharing over n stations, for vectors of that many segments, or
 * of any number of segments that the part count divides if it is 0. Returns n if there are too few
 * stations. Without promises these are the stations that may collude. */
uint32_t topology_tolerate_randoms(const struct topology *t, uint32_t n, uint32_t segments);

/* Replaces the promises by the strict one: as many stations as any promise is about learn
 * nothing. */
void topology_tolerate_strict(struct topology *t);

/* Fails: the word, "tolerate" or one like it, is not where promises belong. */
int topology_tolerate_misplaced(struct words *words, const char *word);

/* Checks that promises are the last words of a collude line. */
int topology_tolerate_check_order(struct words *words);

/* Parses "1/4 at 3 1/2 at 4", the words from `at` on. */
int topology_tolerate_parse(struct topology *t, struct words *words, size_t at);

#endif
