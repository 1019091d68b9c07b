/*
 * collusion_graph.h - the graph of collusion.h with parallel edges made one, ready for flows.
 */
#ifndef HAGG_COLLUSION_GRAPH_H
#define HAGG_COLLUSION_GRAPH_H

#include "plan/collusion.h"
#include "plan/maxflow.h"

struct collusion_graph {
    struct maxflow flow;        /* vertex v is group v of Y, or group v - n_y of X */
    struct maxflow_edge *edges; /* by ascending Y; the capacity counts the clients */
    uint32_t n_clients;
    uint32_t *degree; /* of each vertex, in clients */
    uint32_t *group;  /* for the caller, a number for each vertex */
    uint32_t *order;  /* for the caller, as long as vertices or edges, whichever are more */
};

int collusion_graph_init(struct collusion_graph *g, const struct collusion_edge *clients, size_t n,
                         uint32_t n_y, uint32_t n_x, struct hagg_err *err);

void collusion_graph_free(struct collusion_graph *g);

/* Writes who colludes and who is exposed when the clients that leave the vertices in flow.reached
 * collude. */
int collusion_graph_cut(const struct collusion_graph *g, const struct collusion_edge *clients,
                        uint32_t n_y, struct collusion_cut *cut, struct hagg_err *err);

#endif
