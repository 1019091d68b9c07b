/*
 * pairs.h - parses words and NAME=VALUE pairs, such as "full,clients=1 stations=2,5", in options
 * and in the lines of a topology.
 */
#ifndef HAGG_PAIRS_H
#define HAGG_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

struct pair {
    const char *text; /* the whole word */
    size_t name_len;
    const char *value; /* the text after the =; NULL if there is no = */
};

/* Splits a word at its first =. The pair points into the word. */
struct pair pairs_of(const char *word);

/* Reads the next pair from *rest and advances *rest past it; returns false at the end. The pair
 * points into the text, which is modified. Commas and blanks separate pairs, except that within a
 * value and before a digit they belong to the value, as in stations=2,5. */
bool pairs_next(char **rest, struct pair *pair);

/* Returns the index of the pair's name in names, which end with NULL. A name that ends with =, such
 * as "clients=", needs a value; any other, such as "full", must not have one. Otherwise returns -1
 * with HAGG_E_USAGE and suggests a similar name if there is one. */
int pairs_find(const struct pair *pair, const char *const *names, struct hagg_err *err);

/* Returns the name most similar to the word, as a suggestion in a message; NULL if none is
 * similar. */
const char *pairs_nearest(const char *word, size_t len, const char *const *names);

#endif
