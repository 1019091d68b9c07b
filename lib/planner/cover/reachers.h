/*
 * reachers.h - lists the reach classes that reach all stations of a set.
 *
 * Each station has a row with one bit per reach class. The row of a set is the intersection of the
 * rows of its stations.
 */
#ifndef HAGG_PLANNER_REACHERS_H
#define HAGG_PLANNER_REACHERS_H

#include "planner/instance.h"

struct reachers {
    const struct instance *in;
    size_t n_words; /* words per row */
    uint64_t *rows;
    uint64_t *meet; /* scratch: one row */
    uint64_t work;  /* words and reach classes examined so far: machine-independent time */
};

/* The instance must outlive it. */
int reachers_new(struct reachers *r, const struct instance *in, struct hagg_err *err);

void reachers_free(struct reachers *r);

/* Lists the reach classes that reach the whole set, ascending, and returns their number.
 * reach_classes has room for all of them. The set is not empty. */
uint32_t reachers_of(struct reachers *r, const uint64_t *set, uint32_t *reach_classes);

/* The first reach class from `from` on, wrapping around to 0, that reaches the station (counted
 * from 0). There must be one. */
uint32_t reachers_after(const struct reachers *r, uint32_t station, uint32_t from);

#endif
