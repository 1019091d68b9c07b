/*
 * worst_set.h - finds the set of stations that sees the most, by branch and bound.
 */
#ifndef HAGG_WORST_SET_H
#define HAGG_WORST_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Clients that use the same stations. A set of stations counts weights[a] for them if it has a of
 * their stations. The weights ascend. */
struct worst_set_class {
    const uint32_t *stations; /* numbers from 1, ascending */
    uint32_t n_stations;
    uint64_t *weights; /* size + 1 entries; the caller's */
};

/* Finds the largest sum of weights for sets of `size` of n stations, size <= n. If *exact, *most is
 * attained by the set that is written to chosen, ascending; otherwise the search was given up after
 * a fixed number of steps, and *most is an upper bound. */
int worst_set_find(const struct worst_set_class *classes, size_t n_classes, uint32_t n,
                   uint32_t size, uint32_t *chosen, uint64_t *most, bool *exact,
                   struct hagg_err *err);

#endif
