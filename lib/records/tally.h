/*
 * tally.h - counts words and lists them in the order of their first occurrence.
 */
#ifndef HAGG_TALLY_H
#define HAGG_TALLY_H

#include <stdint.h>

#include "err.h"

struct tally_word {
    char *word;
    uint64_t count;
    struct tally_word *next;
};

/* Initialise to all zero. */
struct tally {
    struct tally_word *first, **last;
    uint64_t n_words;
    void *tree;
};

int tally_add(struct tally *t, const char *word, struct hagg_err *err);

void tally_free(struct tally *t);

#endif
