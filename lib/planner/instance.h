/*
 * instance.h - what a planner chooses from: clients that reach the same stations are one reach
 * class, and what a sharing costs depends on the number of its stations alone.
 *
 * A set of stations is n_words words; bit (s - 1) % 64 of word (s - 1) / 64 is station s.
 */
#ifndef HAGG_PLANNER_INSTANCE_H
#define HAGG_PLANNER_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

struct instance {
    uint32_t n_stations;
    size_t n_words; /* of a set */

    uint32_t n_reach_classes;
    uint64_t *reach;  /* n_reach_classes sets, all different */
    uint32_t *weight; /* clients of each reach class, at least one */

    uint32_t n_clients;
    uint32_t *reach_class; /* of each client, in the topology's order */

    /* What the cheapest sharing within m stations costs, m = 0 .. n_stations, in multiples of the
     * vector, and how many of the m stations it takes. It never grows with m. INFINITY and 0 where
     * m stations are too few. */
    double *rate;
    uint32_t *size;

    /* Full collusion: so many clients may be cut out of the graph, because they collude with the
     * federator or have dropped out. */
    uint32_t colluders;
};

/* HAGG_E_MALFORMED when a client reaches too few stations for any sharing. */
int instance_new(struct instance *in, const struct plan *p, struct hagg_err *err);

void instance_free(struct instance *in);

static inline const uint64_t *instance_reach(const struct instance *in, uint32_t reach_class)
{
    return in->reach + reach_class * in->n_words;
}

static inline bool set_has(const uint64_t *set, uint32_t station)
{
    return set[(station - 1) / 64] >> (station - 1) % 64 & 1;
}

static inline void set_put(uint64_t *set, uint32_t station)
{
    set[(station - 1) / 64] |= UINT64_C(1) << (station - 1) % 64;
}

static inline uint32_t set_count(const uint64_t *set, size_t n_words)
{
    uint32_t n = 0;

    for (size_t i = 0; i < n_words; i++)
        n += (uint32_t)__builtin_popcountll(set[i]);
    return n;
}

/* Whether every station of a is one of b. */
static inline bool set_within(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    uint64_t outside = 0;

    for (size_t i = 0; i < n_words; i++)
        outside |= a[i] & ~b[i];
    return outside == 0;
}

/* out = a and b; returns the number of stations in it. out may be a or b. */
static inline uint32_t set_intersect(uint64_t *out, const uint64_t *a, const uint64_t *b,
                                     size_t n_words)
{
    uint32_t n = 0;

    for (size_t i = 0; i < n_words; i++) {
        out[i] = a[i] & b[i];
        n += (uint32_t)__builtin_popcountll(out[i]);
    }
    return n;
}

static inline bool set_equal(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    uint64_t differs = 0;

    for (size_t i = 0; i < n_words; i++)
        differs |= a[i] ^ b[i];
    return differs == 0;
}

#endif
