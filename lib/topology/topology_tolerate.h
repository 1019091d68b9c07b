/*
 * topology_tolerate.h - promises about more colluding stations than learn nothing: "tolerate 1/4 at
 * 3" promises that 3 stations learn at most a quarter of any vector, including what they
 * learn from the total under full collusion.
 */
#ifndef HAGG_TOPOLOGY_TOLERATE_H
#define HAGG_TOPOLOGY_TOLERATE_H

#include "topology/topology.h"
#include "topology/words.h"

/* Returns the largest number of colluding stations that a promise is about: those of the last
 * promise or, without promises, those that learn nothing. */
uint32_t topology_tolerate_most(const struct topology *t);

/* Returns how many segments of a vector so many stations learn from their shares of it alone.
 * Blocks have `parts` parts and z random vectors. */
uint32_t topology_tolerate_learnt(uint32_t stations, uint32_t parts, uint32_t z, uint32_t segments);

/* Returns the smallest number of random vectors of a sharing over n stations, but at least z, with
 * which its shares alone keep one promise; n if there are too few stations. segments are those of a
 * vector, or 0 for any number that the part count divides. The fraction may be 0. */
uint32_t topology_tolerate_randoms(const struct topology *t,
                                   const struct topology_tolerated *promise, uint32_t n, uint32_t z,
                                   uint32_t segments);

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
