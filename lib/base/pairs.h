/*
 * pairs.h - words and NAME=VALUE pairs, such as "full,clients=1 stations=2,5", in options and in
 * the lines of a topology.
 */
#ifndef HAGG_PAIRS_H
#define HAGG_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

struct pair {
    const char *text; /* all of it */
    size_t name_len;
    const char *value; /* what follows the =; NULL: there is none */
};

/* The word as a pair. */
struct pair pairs_of(const char *word);

/* The next pair of *rest, which is changed and moves on; false at the end. Commas and blanks
 * separate pairs; but in front of a digit they belong to a value, as in stations=2,5. */
bool pairs_next(char **rest, struct pair *pair);

/* The place of the pair's name among names, which end with NULL: "clients=" needs a value, "full"
 * has none. Otherwise -1 and HAGG_E_USAGE, with the name that may be meant. */
int pairs_find(const struct pair *pair, const char *const *names, struct hagg_err *err);

/* The name that is nearly the word, for a message; NULL when none is. */
const char *pairs_nearest(const char *word, size_t len, const char *const *names);

#endif
