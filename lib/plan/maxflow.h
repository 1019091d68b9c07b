/*
 * maxflow.h - maximum flows up to a bound in an undirected graph with edge capacities. Made for
 * many flows in the same graph: the cost of a flow depends on the edges it visits, not on the
 * graph.
 */
#ifndef HAGG_MAXFLOW_H
#define HAGG_MAXFLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "err.h"

#define MAXFLOW_NO_GOAL UINT32_MAX

/* The caller sets the ends and the capacity, at most INT32_MAX, and everything else to zero. If
 * drains is set, which may change between flows, the edge is a sink: flow that enters it from
 * either end, up to its capacity in total, has arrived, and nothing crosses it. */
struct maxflow_edge {
    uint32_t end[2], capacity;
    bool drains;
    bool touched;    /* this and the following are internal */
    int32_t flow[2]; /* from end[0] and end[1] into the edge; opposite numbers unless it drains */
};

struct maxflow {
    uint32_t n_vertices, n_edges;
    struct maxflow_edge *edges; /* owned by the caller */
    uint32_t *first, *arcs;     /* of vertex v: arcs[first[v]] .. arcs[first[v + 1] - 1] */
    uint32_t *goal;             /* by vertex, set by the caller; initially MAXFLOW_NO_GOAL */
    /* After a flow below its bound, the source side of a minimum cut. The caller may use it between
     * flows. */
    uint32_t *reached;
    uint32_t n_reached;
    uint32_t *via, *touched, n_touched, *memory;
};

/* Arc a is edge a / 2 in the direction away from its end a % 2. The edges are not copied and must
 * outlive m. n_vertices and n_edges are at most 2^30. */
int maxflow_init(struct maxflow *m, uint32_t n_vertices, struct maxflow_edge *edges,
                 uint32_t n_edges, struct hagg_err *err);

/* Returns the maximum flow from a and b together to the vertices with this goal and into the edges
 * that drain. a and b may be the same vertex; neither has the goal. If the maximum is at least
 * bound, returns some number that is at least bound. */
uint64_t maxflow_bounded(struct maxflow *m, uint32_t a, uint32_t b, uint32_t goal, uint32_t bound);

/* Does not free the edges. */
void maxflow_free(struct maxflow *m);

#endif
