/*
 * collusion_instance.h - small random instances for the tests of collusion.h, and a check of a cut.
 */
#ifndef HAGG_COLLUSION_INSTANCE_H
#define HAGG_COLLUSION_INSTANCE_H

#include <stdbool.h>

#include "check.h"
#include "plan/collusion.h"

enum { CLIENTS = 48, GROUPS = 6, SMALL = 9 };

static uint64_t state = 11;

static inline uint32_t below(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % n);
}

struct instance {
    struct collusion_edge edges[CLIENTS];
    uint32_t n, n_y, n_x;
};

/* Draws an instance. In some all groups have about the same size, so that only the structure of the
 * graph matters. */
static inline void draw(struct instance *in, uint32_t most_clients, uint32_t most_groups)
{
    bool even = below(2);

    in->n = 1 + below(most_clients);
    in->n_y = 1 + below(most_groups);
    in->n_x = 1 + below(most_groups);
    for (uint32_t i = 0; i < in->n; i++)
        in->edges[i] = (struct collusion_edge){ even ? i % in->n_y : below(in->n_y),
                                                even ? i / in->n_y % in->n_x : below(in->n_x) };
    for (uint32_t i = in->n; even && i > 1; i--) {
        uint32_t at = below(i), x = in->edges[at].x;

        in->edges[at].x = in->edges[i - 1].x;
        in->edges[i - 1].x = x;
    }
}

static inline int private(const struct instance *in, uint32_t z, enum collusion_condition condition,
                          struct collusion_cut *cut)
{
    struct hagg_err err = { 0 };

    return collusion_private(in->edges, in->n, in->n_y, in->n_x, z, condition, cut, &err);
}

static inline int64_t strength(const struct instance *in, enum collusion_condition condition,
                               uint32_t limit)
{
    struct hagg_err err = { 0 };
    int64_t z = -2;

    CHECK(collusion_strength(in->edges, in->n, in->n_y, in->n_x, condition, limit, &z, &err) == 0);
    return z;
}

/* Returns the clients that are connected with client `from` through common groups, if the clients
 * in `without` are removed. */
static inline uint64_t joined(const struct instance *in, uint64_t without, uint32_t from)
{
    uint64_t found = (uint64_t)1 << from, before;

    do {
        before = found;
        for (uint32_t i = 0; i < in->n; i++)
            for (uint32_t j = 0; j < in->n; j++)
                if (found >> i & 1 && !(without >> j & 1) &&
                    (in->edges[i].y == in->edges[j].y || in->edges[i].x == in->edges[j].x))
                    found |= (uint64_t)1 << j;
    } while (found != before);
    return found;
}

static inline uint64_t set_of(const uint32_t *list, size_t n)
{
    uint64_t set = 0;

    for (size_t i = 0; i < n; i++) {
        CHECK(i == 0 || list[i - 1] < list[i]);
        set |= (uint64_t)1 << list[i];
    }
    return set;
}

/* Checks that the exposed are exactly the clients connected with the first of them after the
 * colluders are removed, and that at least as many others remain. */
static inline void check_cut(const struct instance *in, uint32_t z, const struct collusion_cut *cut)
{
    uint64_t colluders = set_of(cut->colluders, cut->n_colluders);
    uint64_t exposed = set_of(cut->exposed, cut->n_exposed);

    CHECK(cut->n_colluders <= z && (colluders & exposed) == 0);
    CHECK(2 * cut->n_exposed + cut->n_colluders <= in->n);
    if (CHECK(cut->n_exposed > 0))
        CHECK(joined(in, colluders, cut->exposed[0]) == exposed);
}

#endif
