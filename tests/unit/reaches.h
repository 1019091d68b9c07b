/*
 * reaches.h - instances for the tests of the planner for partial collusion, made without a
 * topology.
 */
#ifndef HAGG_REACHES_H
#define HAGG_REACHES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planner/effort.h"
#include "planner/instance.h"

/* Makes room for n_reach_classes reach classes of one client each, with empty reaches. Rate
 * and fee are m / (m - z), as for a ramp scheme. */
static inline void reaches_new(struct instance *in, uint32_t n_stations, uint32_t n_reach_classes,
                               uint32_t z)
{
    *in = (struct instance){ .n_stations = n_stations,
                             .n_words = (n_stations + 63) / 64,
                             .n_reach_classes = n_reach_classes,
                             .n_clients = n_reach_classes };
    in->reach = calloc(n_reach_classes * in->n_words, sizeof *in->reach);
    in->weight = malloc(n_reach_classes * sizeof *in->weight);
    in->reach_class = malloc(n_reach_classes * sizeof *in->reach_class);
    in->rate = malloc((n_stations + 1) * sizeof *in->rate);
    in->fee = malloc((n_stations + 1) * sizeof *in->fee);
    in->size = malloc((n_stations + 1) * sizeof *in->size);
    for (uint32_t k = 0; k < n_reach_classes; k++) {
        in->weight[k] = 1;
        in->reach_class[k] = k;
    }
    for (uint32_t m = 0; m <= n_stations; m++) {
        in->rate[m] = m > z ? (double)m / (m - z) : INFINITY;
        in->fee[m] = in->rate[m];
        in->size[m] = m > z ? m : 0;
    }
}

/* Lowers the fees to m / (m - z), as for a scheme with prefixes if all holders are present, and so
 * to less than the rates if these are for spare holders. */
static inline void reaches_lower_fees(struct instance *in, uint32_t z)
{
    for (uint32_t m = 0; m <= in->n_stations; m++)
        if (!isinf(in->rate[m]))
            in->fee[m] = (double)m / (m - z);
}

/* Changes rate and fee to be constant from n stations on, as for additive sharing over the smallest
 * private number of stations. */
static inline void reaches_level_rates(struct instance *in, uint32_t n, double rate)
{
    for (uint32_t m = 0; m <= in->n_stations; m++) {
        in->rate[m] = in->fee[m] = m >= n ? rate : INFINITY;
        in->size[m] = m >= n ? n : 0;
    }
}

static inline void reaches_add(struct instance *in, uint32_t reach_class, uint32_t station)
{
    in->reach[reach_class * in->n_words + (station - 1) / 64] |= UINT64_C(1) << (station - 1) % 64;
}

/* Drops reaches with too few stations, and duplicates. */
static inline void reaches_tidy(struct instance *in)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        const uint64_t *reach = instance_reach(in, k);
        bool keep = !isinf(in->rate[set_count(reach, in->n_words)]);

        for (uint32_t i = 0; i < n && keep; i++)
            keep = !set_equal(instance_reach(in, i), reach, in->n_words);
        if (!keep)
            continue;
        memmove(in->reach + n * in->n_words, reach, in->n_words * sizeof *reach);
        in->weight[n++] = in->weight[k];
    }
    in->n_reach_classes = n;
    in->n_clients = 0;
    for (uint32_t k = 0; k < n; k++)
        in->n_clients += in->weight[k];
}

/* Each reach has each station with probability part / 16, and 1 .. most_weight clients. */
static inline void reaches_random(struct instance *in, struct effort *e, uint32_t part,
                                  uint32_t most_weight)
{
    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        in->weight[k] = 1 + effort_random(e, most_weight);
        for (uint32_t s = 1; s <= in->n_stations; s++)
            if (effort_random(e, 16) < part)
                reaches_add(in, k, s);
    }
    reaches_tidy(in);
}

/* width * width stations in a square lattice on a torus. Each reach has the stations around a
 * random place, and only some of those near the edge of the circle. */
static inline void reaches_around(struct instance *in, struct effort *e, uint32_t width)
{
    for (uint32_t k = 0; k < in->n_reach_classes; k++) {
        int x = (int)effort_random(e, 16 * width), y = (int)effort_random(e, 16 * width);
        int all = (int)(16 * width);

        for (uint32_t s = 0; s < width * width; s++) {
            int dx = abs((int)(s % width * 16) - x), dy = abs((int)(s / width * 16) - y);

            dx = dx > all - dx ? all - dx : dx;
            dy = dy > all - dy ? all - dy : dy;
            if (dx * dx + dy * dy < 500 + (int)effort_random(e, 400))
                reaches_add(in, k, s + 1);
        }
    }
    reaches_tidy(in);
}

/* Changes the price of what clients send, for every other instance. */
static inline void reaches_price(struct instance *in, unsigned i)
{
    static const double prices[] = { 0.25, 3, 1e-4, 10, 0.75 };

    for (uint32_t m = 0; m <= in->n_stations && i % 2 == 1; m++)
        in->rate[m] *= prices[i / 2 % 5];
}

#endif
