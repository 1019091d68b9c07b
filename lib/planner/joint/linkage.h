/*
 * linkage.h - the graph of a joint choice while it changes. Each group is a vertex; a link joins
 * two groups that have clients in common. Whether one client may change its group is decided by a
 * few short paths, without examining the whole graph.
 */
#ifndef HAGG_PLANNER_LINKAGE_H
#define HAGG_PLANNER_LINKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plan/collusion.h"

#define LINKAGE_END UINT32_MAX

struct linkage_link {
    uint32_t end[2];           /* vertices */
    uint32_t next[2], prev[2]; /* links of the same vertex, or LINKAGE_END */
    uint32_t clients;          /* number of common clients; never 0 while in use */
    int64_t flow;              /* from end[0] to end[1]; valid only in search number stamp */
    uint64_t stamp;
};

struct linkage {
    uint32_t n_vertices;
    uint32_t *first;   /* first link of each vertex, or LINKAGE_END */
    uint32_t *n_links; /* number of links of each vertex */
    uint32_t *degree;  /* number of clients of each vertex */
    struct linkage_link *links;
    uint32_t spare; /* first unused link */

    uint64_t *seen;        /* the last walk that visited each vertex */
    uint32_t *via, *queue; /* the link to each vertex on the walk; vertices to expand */
    uint64_t walk, stamp;  /* numbers of the current walk and of its search */
};

/* With room for n_clients clients between n_vertices vertices, so that no later call can fail. -1
 * if memory is short. */
int linkage_new(struct linkage *l, uint32_t n_vertices, uint32_t n_clients);
void linkage_free(struct linkage *l);

/* Removes all clients. */
void linkage_clear(struct linkage *l);

void linkage_add(struct linkage *l, uint32_t u, uint32_t v);

/* Removes one of the clients between u and v. There must be one. */
void linkage_remove(struct linkage *l, uint32_t u, uint32_t v);

/* The other end of a link of v. */
static inline uint32_t linkage_across(const struct linkage *l, uint32_t link, uint32_t v)
{
    return l->links[link].end[l->links[link].end[0] == v];
}

static inline uint32_t linkage_next(const struct linkage *l, uint32_t link, uint32_t v)
{
    return l->links[link].next[l->links[link].end[0] != v];
}

/* True if at least limit clients must be removed to separate the vertices u from the vertices v. */
bool linkage_min_cut_at_least(struct linkage *l, const uint32_t u[], size_t n_u, const uint32_t v[],
                              size_t n_v, uint32_t limit);

/* The graph was private against z clients. Then one client of u moved from v to another vertex, by
 * linkage_remove and linkage_add. True if the graph is still private. May return false for a
 * private graph if the check would take too long. */
bool linkage_still_private(struct linkage *l, uint32_t u, uint32_t v, uint32_t z,
                           enum collusion_condition condition);

#endif
