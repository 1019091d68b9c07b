/*
 * words.h - splits a line of a topology into words, and parses numbers and lists. Also for
 * other files of such lines.
 */
#ifndef HAGG_WORDS_H
#define HAGG_WORDS_H

#include "base/pairs.h"
#include "topology/topology.h"

/* Initialise to all zero except name and err. */
struct words {
    const char *name; /* of the file, for messages */
    size_t line;      /* number of the line, for messages; set by the caller */
    char **word;      /* pointers into the last line that was split, then NULL */
    size_t max_words;
    size_t n_numbers; /* in the lists of all lines so far */
    struct hagg_err *err;
};

void words_free(struct words *w);

/* Fails with "NAME:LINE: 'WORD': reason" and HAGG_E_MALFORMED. Always returns -1. */
int words_fail(struct words *w, const char *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails after a failed allocation. Always returns -1. */
int words_no_memory(struct words *w);

/* Makes room for at least one more item than n. array is the address of the pointer to the
 * items. */
int words_grow(struct words *w, void *array, size_t n, size_t *max, size_t size);

/* Splits a line, which is modified, into words. Stops at a comment. */
int words_split(struct words *w, char *line);

/* Fails if there is a word[at]. */
int words_end(struct words *w, size_t at);

/* Parses a decimal number without leading zeros. digits is NULL if the number is missing. Messages
 * quote word. */
int words_number(struct words *w, const char *word, const char *digits, uint64_t min, uint64_t max,
                 uint64_t *value);

/* Parses numbers and ranges, starting at word[*at], into a list with all ranges expanded, in the
 * given order; advances *at past them. There must be at least one number, each must be from 1 to
 * max, and at most max_n are accepted, so that repeated numbers, which the caller checks for,
 * cannot exhaust memory. The caller frees the numbers. */
int words_list(struct words *w, size_t *at, uint32_t max, uint32_t max_n,
               struct topology_list *list);

/* Returns the index of a pair's name in names, which are as in pairs.h; -1 on failure. */
int words_pair(struct words *w, const struct pair *pair, const char *const *names);

#endif
