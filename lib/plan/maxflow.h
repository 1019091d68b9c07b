/*
 * maxflow.h - flows in an undirected graph whose edges have capacities, as far as a bound: many
 * flows in one graph, each at the cost of what it touches.
 */
#ifndef HAGG_MAXFLOW_H
#define HAGG_MAXFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

#define MAXFLOW_NO_GOAL UINT32_MAX

/* The caller sets ends and capacity, at most INT32_MAX, and all else to zero. Where drains is set
 * (it may change between flows) nothing crosses the edge, but what enters it, from either end and
 * up to its capacity in all, has arrived. */
struct maxflow_edge {
    uint32_t end[2], capacity;
    bool drains;
    bool touched;    /* the rest is the flow's own */
    int32_t flow[2]; /* what left end[0] and end[1] into the edge; opposite unless it drains */
};

struct maxflow {
    uint32_t n_vertices, n_edges;
    struct maxflow_edge *edges; /* the caller's */
    uint32_t *first, *arcs;     /* of vertex v: arcs[first[v]] .. arcs[first[v + 1] - 1] */
    uint32_t *goal;             /* of each vertex, for the caller to set; at first none */
    uint32_t *reached;          /* after a flow below its bound: the side of its beginning in */
    uint32_t n_reached;         /* a minimum cut; the caller may write here between flows */
    uint32_t *via, *touched, n_touched, *memory;
};

/* Edge a / 2 as it leaves its end a % 2 is arc a. The edges stay the caller's and must outlive the
 * struct; n_vertices and n_edges are at most 2^30. */
int maxflow_init(struct maxflow *m, uint32_t n_vertices, struct maxflow_edge *edges,
                 uint32_t n_edges, struct hagg_err *err);

/* The most that flows from a and b together (the same vertex, or two; neither has the goal) to the
 * vertices with that goal and into the edges that drain. Stops at the bound, and then the answer
 * is some number that is not less. */
uint64_t maxflow_bounded(struct maxflow *m, uint32_t a, uint32_t b, uint32_t goal, uint32_t bound);

/* The edges stay. */
void maxflow_free(struct maxflow *m);

#endif
