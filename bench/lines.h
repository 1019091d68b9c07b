/*
 * lines.h - compares shell command lines: both run in turn, in the current directory.
 */
#ifndef BENCH_LINES_H
#define BENCH_LINES_H

#include "rounds.h"

struct lines {
    const char *what, *ours, *peer;
    enum rounds_clock clock; /* of the verdict: ROUNDS_WALL if both wait for the disk */
    double target;           /* largest ratio; 0 for none */
    double max_megabytes;    /* of our peak memory; 0 for no line about memory */
};

void lines_compare(const struct lines *l, size_t n_rounds);

#endif
