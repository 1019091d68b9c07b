/*
 * leaks.h - counts the sets of colluding clients that learn too much, in a graph of few clients,
 * and picks one of them at random.
 *
 * The graph is that of plan/collusion.h: clients are edges between groups of the two sides. z
 * clients learn too much if the graph without them has edges in two connected components. So for
 * each set of z - 1 clients, it is enough to find the bridges of the graph without them, which
 * takes time proportional to the number of clients.
 */
#ifndef HAGG_PLANNER_LEAKS_H
#define HAGG_PLANNER_LEAKS_H

#include <stdbool.h>

#include "planner/effort.h"
#include "err.h"

#define LEAKS_MOST 8 /* colluding clients */

struct leaks {
    uint32_t n_clients, z;
    const uint32_t *of[2]; /* the groups of each client on both sides */
    uint32_t n_groups;     /* on each side */
    uint64_t n_visits;     /* edges visited so far */

    uint32_t removed[LEAKS_MOST]; /* a set of clients that learns too much, if any does */
    uint32_t n_removed;

    /* scratch */
    struct leaks_vertex *vertices;
    struct leaks_step *stack;
    struct leaks_bridge *bridges;
    uint32_t *next; /* of each client and side: the next client of the same group */
    bool *gone;     /* clients that are removed or already visited */
    bool *without;  /* clients that are removed */
};

/* z is at most LEAKS_MOST and leaves at least two clients. of[0] and of[1] have n_clients entries
 * below n_groups, belong to the caller and may change between calls. */
int leaks_new(struct leaks *l, uint32_t n_clients, uint32_t z, const uint32_t *y, const uint32_t *x,
              uint32_t n_groups, struct hagg_err *err);
void leaks_free(struct leaks *l);

/* Edges that leaks_count visits if it does not stop early. */
uint64_t leaks_visits(uint32_t n_clients, uint32_t z);

/* The number of leaks, 0 if and only if the graph is private; a graph that is divided with fewer
 * clients removed counts as many. If e is not NULL, a leak is picked at random into removed. Stops
 * when the count exceeds limit. */
uint64_t leaks_count(struct leaks *l, uint64_t limit, struct effort *e);

/* Sets part[i] of each client: 0 or 1 by its side of the leak in removed, 2 for a client in it. */
void leaks_divide(struct leaks *l, uint8_t *part);

#endif
