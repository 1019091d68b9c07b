/*
 * instances.h - instances for the tests of the planner for full collusion, made without a topology.
 */
#ifndef HAGG_TEST_INSTANCES_H
#define HAGG_TEST_INSTANCES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "planner/instance.h"

static uint64_t instances_state;

static inline void instances_seed(uint64_t seed)
{
    instances_state = seed * 2 + 1;
}

/* A random number below n. */
static inline uint32_t instances_random(uint32_t n)
{
    instances_state = instances_state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)((instances_state >> 32) * n >> 32);
}

/* n clients with these reaches, rows of (n_stations + 63) / 64 words, with ramp sharing against
 * collude_stations stations, and colluders clients that may be removed. Free it with instance_free.
 */
static inline struct instance instances_make(uint32_t n, uint32_t n_stations, const uint64_t *reach,
                                             uint32_t collude_stations, uint32_t colluders)
{
    struct instance in = { .n_stations = n_stations,
                           .n_words = (n_stations + 63) / 64,
                           .n_clients = n,
                           .colluders = colluders };

    in.reach = calloc(n * in.n_words, sizeof *in.reach);
    in.weight = calloc(n, sizeof *in.weight);
    in.reach_class = calloc(n, sizeof *in.reach_class);
    in.rate = calloc(n_stations + 1, sizeof *in.rate);
    in.fee = calloc(n_stations + 1, sizeof *in.fee);
    in.size = calloc(n_stations + 1, sizeof *in.size);
    if (!in.reach || !in.weight || !in.reach_class || !in.rate || !in.fee || !in.size)
        abort();
    for (uint32_t m = 0; m <= n_stations; m++) {
        in.rate[m] = m > collude_stations ? (double)m / (m - collude_stations) : INFINITY;
        in.fee[m] = in.rate[m];
        in.size[m] = m > collude_stations ? m : 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = 0;

        while (k < in.n_reach_classes &&
               !set_equal(instance_reach(&in, k), reach + i * in.n_words, in.n_words))
            k++;
        if (k == in.n_reach_classes)
            memcpy(in.reach + in.n_reach_classes++ * in.n_words, reach + i * in.n_words,
                   in.n_words * sizeof *reach);
        in.reach_class[i] = k;
        in.weight[k]++;
    }
    return in;
}

/* Each link exists with a probability of percent / 100; every client reaches at least `least`
 * stations. */
static inline struct instance instances_uniform(uint32_t n, uint32_t n_stations, uint32_t percent,
                                                uint32_t least, uint32_t collude_stations,
                                                uint32_t colluders)
{
    size_t n_words = (n_stations + 63) / 64;
    uint64_t *reach = calloc(n * n_words, sizeof *reach);
    struct instance in;

    if (!reach)
        abort();
    for (uint32_t i = 0; i < n; i++)
        do {
            memset(reach + i * n_words, 0, n_words * sizeof *reach);
            for (uint32_t s = 0; s < n_stations; s++)
                if (instances_random(100) < percent)
                    reach[i * n_words + s / 64] |= UINT64_C(1) << s % 64;
        } while (set_count(reach + i * n_words, n_words) < least);
    in = instances_make(n, n_stations, reach, collude_stations, colluders);
    free(reach);
    return in;
}

/* Stations and clients at random places in a square, linked within a distance such that a client in
 * the middle reaches `mean` stations on average. Clients that reach too few are drawn again. */
static inline struct instance instances_geometric(uint32_t n, uint32_t n_stations, uint32_t mean,
                                                  uint32_t least, uint32_t collude_stations,
                                                  uint32_t colluders)
{
    size_t n_words = (n_stations + 63) / 64;
    uint64_t *reach = calloc(n * n_words, sizeof *reach);
    double *at = calloc(n_stations, 2 * sizeof *at), side = 1 << 20;
    double square = side * side * mean / n_stations / 3.14159265358979;
    struct instance in;

    if (!reach || !at)
        abort();
    for (uint32_t s = 0; s < 2 * n_stations; s++)
        at[s] = instances_random(1 << 20);
    for (uint32_t i = 0; i < n; i++)
        do {
            double x = instances_random(1 << 20), y = instances_random(1 << 20);

            memset(reach + i * n_words, 0, n_words * sizeof *reach);
            for (uint32_t s = 0; s < n_stations; s++) {
                double dx = at[2 * s] - x, dy = at[2 * s + 1] - y;

                if (dx * dx + dy * dy <= square)
                    reach[i * n_words + s / 64] |= UINT64_C(1) << s % 64;
            }
        } while (set_count(reach + i * n_words, n_words) < least);
    in = instances_make(n, n_stations, reach, collude_stations, colluders);
    free(reach);
    free(at);
    return in;
}

#endif
