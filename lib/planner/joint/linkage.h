/*
 * linkage.h - the graph of a joint choice while it changes: a vertex for each group, a link between
 * two groups for the clients that they share. Whether one client may change its group is answered
 * by a few short paths, without a look at the whole graph.
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
    uint32_t clients;          /* never 0 while linked */
    int64_t flow;              /* from end[0] to end[1], of search number stamp */
    uint64_t stamp;
};

struct linkage {
    uint32_t n_vertices;
    uint32_t *first;   /* link of each vertex, or LINKAGE_END */
    uint32_t *n_links; /* of each vertex */
    uint32_t *degree;  /* clients of each vertex */
    struct linkage_link *links;
    uint32_t spare; /* first unused link */

    uint64_t *seen;        /* the walk that met each vertex last */
    uint32_t *via, *queue; /* how it got there; where it has yet to look */
    uint64_t walk, stamp;  /* number of the present walk, and of the search that it belongs to */
};

/* Room for n_clients clients between n_vertices vertices; nothing after it can fail. -1: no memory.
 */
int linkage_new(struct linkage *l, uint32_t n_vertices, uint32_t n_clients);
void linkage_free(struct linkage *l);

/* Forgets all clients. */
void linkage_clear(struct linkage *l);

void linkage_add(struct linkage *l, uint32_t u, uint32_t v);

/* Takes away one of the clients between u and v; there is one. */
void linkage_remove(struct linkage *l, uint32_t u, uint32_t v);

/* The other end of one of v's links. */
static inline uint32_t linkage_across(const struct linkage *l, uint32_t link, uint32_t v)
{
    return l->links[link].end[l->links[link].end[0] == v];
}

static inline uint32_t linkage_next(const struct linkage *l, uint32_t link, uint32_t v)
{
    return l->links[link].next[l->links[link].end[0] != v];
}

/* Whether at least limit clients must be cut to part the vertices u from the vertices v. */
bool linkage_min_cut_at_least(struct linkage *l, const uint32_t u[], size_t n_u, const uint32_t v[],
                              size_t n_v, uint32_t limit);

/* A graph was private against z clients, and then one client of u went from v to another vertex,
 * which linkage_remove and linkage_add have been told. Whether it is private still. May say no
 * where that would take long to find out. */
bool linkage_still_private(struct linkage *l, uint32_t u, uint32_t v, uint32_t z,
                           enum collusion_condition condition);

#endif
