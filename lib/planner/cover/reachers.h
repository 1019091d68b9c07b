/*
 * reachers.h - which reach classes reach all stations of a set.
 *
 * One row of bits for each station, one bit for each reach class: a set's row is the meet of its
 * stations'.
 */
#ifndef HAGG_PLANNER_REACHERS_H
#define HAGG_PLANNER_REACHERS_H

#include "planner/instance.h"

struct reachers {
    const struct instance *in;
    size_t n_words; /* of a row */
    uint64_t *rows;
    uint64_t *meet; /* scratch: one row */
    uint64_t
        work; /* words and reach classes looked at so far: what a search has cost, on any machine */
};

/* The instance must outlive it. */
int reachers_new(struct reachers *r, const struct instance *in, struct hagg_err *err);

void reachers_free(struct reachers *r);

/* Lists the reach classes that reach all of the set, ascending; reach classes has room for all.
 * Returns how many.
 */
uint32_t reachers_of(struct reachers *r, const uint64_t *set, uint32_t *reach_classes);

/* The first reach class from number `from` on, or around again from 0, that reaches the station
 * (counted from 0). There must be one. */
uint32_t reachers_after(const struct reachers *r, uint32_t station, uint32_t from);

#endif
