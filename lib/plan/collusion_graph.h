/*
 * collusion_graph.h - the graph of collusion.h with parallel edges merged, prepared for maxflow.h.
 */
#ifndef HAGG_COLLUSION_GRAPH_H
#define HAGG_COLLUSION_GRAPH_H

#include "plan/collusion.h"
#include "plan/maxflow.h"

struct collusion_graph {
    struct maxflow flow;        /* vertex v is group v of Y, or group v - n_y of X */
    struct maxflow_edge *edges; /* by ascending Y; the capacity is the number of clients */
    uint32_t n_clients;
    uint32_t *degree; /* by vertex: number of clients */
    uint32_t *group;  /* scratch for the caller: one number per vertex */
    uint32_t *order;  /* scratch for the caller: room for all vertices or all edges */
};

int collusion_graph_init(struct collusion_graph *g, const struct collusion_edge *clients, size_t n,
                         uint32_t n_y, uint32_t n_x, struct hagg_err *err);

void collusion_graph_free(struct collusion_graph *g);

/* Sets *cut to the colluders and exposed clients of the cut around the vertices in flow.reached. */
int collusion_graph_cut(const struct collusion_graph *g, const struct collusion_edge *clients,
                        uint32_t n_y, struct collusion_cut *cut, struct hagg_err *err);

#endif
