/*
 * instance.h - the planner's input: the reaches of the clients, and the cost of a sharing by its
 * number of stations.
 *
 * Costs are multiples of the vector, or of its price on the links from stations towards the
 * federator.
 *
 * A client's reach is the set of stations that it can send to. All clients with the same reach are
 * one reach class.
 *
 * A set of stations is n_words words. Station s is bit (s - 1) % 64 of word (s - 1) / 64.
 */
#ifndef HAGG_PLANNER_INSTANCE_H
#define HAGG_PLANNER_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

struct instance {
    uint32_t n_stations;
    size_t n_words; /* words per set */

    uint32_t n_reach_classes;
    uint64_t *reach;  /* n_reach_classes sets, all different */
    uint32_t *weight; /* number of clients in each reach class, at least one */

    uint32_t n_clients;
    uint32_t *reach_class; /* of each client, in the topology's order */

    /* For m = 0 .. n_stations: the cost of the cheapest sharing over some of m stations, in
     * multiples of the vector, and the number of stations it uses. The rate is what a client sends,
     * and the fee what the stations send of a sum if all of them are present. Neither increases
     * with m. INFINITY and 0 if m stations are too few. */
    double *rate, *fee;
    uint32_t *size;

    /* Prices, relative to that of sums which stations send on: of shares that clients send, which
     * is in the rate, and of sums that relays send. 1 without price lines. The cost of a choice,
     * times price, is its price; only nearly so if exact is false. */
    double user, relay_fee, price;
    bool exact;

    /* Full collusion: the number of clients that may be removed from the graph, because they
     * collude with the federator or have dropped out. */
    uint32_t colluders;

    /* Full collusion: relays add up patterns. So there can be a private plan although no choice of
     * stations is private by itself. */
    bool merges;
};

/* Copies what it needs from p. HAGG_E_MALFORMED if a client reaches too few stations for any
 * sharing. */
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

/* True if a is a subset of b. */
static inline bool set_within(const uint64_t *a, const uint64_t *b, size_t n_words)
{
    uint64_t outside = 0;

    for (size_t i = 0; i < n_words; i++)
        outside |= a[i] & ~b[i];
    return outside == 0;
}

/* Sets out to the intersection of a and b and returns its size. out may be a or b. */
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
