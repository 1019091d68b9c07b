/*
 * smallest.h - all sets of stations that are just large enough for a sharing and that two or more
 * clients reach.
 *
 * If there is a private choice, there is one with such sets only: replace the set of each group by
 * a part of it. Groups that then have the same set are one group, which makes no cut smaller. A
 * client that is alone in a group may use any set, so it is in a group with others, or has one of
 * these sets too.
 */
#ifndef HAGG_PLANNER_SMALLEST_H
#define HAGG_PLANNER_SMALLEST_H

#include "planner/instance.h"

struct smallest {
    uint32_t n;
    uint32_t *begins; /* of each reach class: its first entry in lists, and the end of the last */
    uint32_t *lists;  /* numbers of sets, below n */
};

/* 1: done, to be freed with smallest_free; 0: there are more than most, or a client has none; -1:
 * error. */
int smallest_new(struct smallest *s, const struct instance *in, size_t most, struct hagg_err *err);

void smallest_free(struct smallest *s);

#endif
