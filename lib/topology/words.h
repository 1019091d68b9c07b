/*
 * words.h - one line of a topology as words, the numbers and lists among them, and what is wrong
 * with one of them. For topology_parse.c only.
 */
#ifndef HAGG_WORDS_H
#define HAGG_WORDS_H

#include "topology/topology.h"

/* All zero but for name and err, then line after line. */
struct words {
    const char *name; /* of the file, for messages */
    size_t line;      /* its number, for messages; the caller's to set */
    char **word;      /* pointers into the line split last, then NULL */
    size_t max_words;
    size_t n_numbers; /* in the lists of all lines so far */
    struct hagg_err *err;
};

void words_free(struct words *w);

/* "NAME:LINE: 'WORD': reason", HAGG_E_MALFORMED. Always -1. */
int words_fail(struct words *w, const char *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* After a failed allocation. Always -1. */
int words_no_memory(struct words *w);

/* Makes room for one more item in an array that doubles; array points to the pointer to it. */
int words_grow(struct words *w, void *array, size_t n, size_t *max, size_t size);

/* Cuts a line, which is changed, into words, up to a comment. */
int words_split(struct words *w, char *line);

/* Fails unless the words end before word[at]. */
int words_end(struct words *w, size_t at);

/* digits: decimal, with no leading zero and nothing after them; NULL is a number that is missing.
 * word is what a message shows. */
int words_number(struct words *w, const char *word, const char *digits, uint64_t min, uint64_t max,
                 uint64_t *value);

/* The numbers and ranges from word[*at] on, written out in their order; *at is then what follows
 * them. At least one, each from 1 to max, and no more than max_n: what comes twice is for the
 * caller to find, but must not take memory before. The caller frees the numbers. */
int words_list(struct words *w, size_t *at, uint32_t max, uint32_t max_n,
               struct topology_list *list);

#endif
