#include "plan/collusion_graph.h"

#include <stdlib.h>

/* Sorts the clients by their Y, so that parallel edges are found within the edges of one Y. */
static void sort_by_y(const struct collusion_edge *clients, uint32_t n, uint32_t n_y,
                      uint32_t *first, uint32_t *sorted)
{
    for (uint32_t i = 0; i < n; i++)
        first[clients[i].y + 1]++;
    for (uint32_t y = 0; y < n_y; y++)
        first[y + 1] += first[y];
    for (uint32_t i = 0; i < n; i++)
        sorted[first[clients[i].y]++] = i;
}

/* Merges parallel edges, and returns how many remain. */
static uint32_t merge(struct collusion_graph *g, const struct collusion_edge *clients,
                      const uint32_t *sorted, uint32_t n_y, uint32_t *slot)
{
    uint32_t n_edges = 0;

    for (uint32_t i = 0; i < g->n_clients; i++) {
        const struct collusion_edge *c = &clients[sorted[i]];
        uint32_t at = slot[c->x];

        /* the slot may be that of an earlier Y, or its initial 0 */
        if (at >= n_edges || g->edges[at].end[0] != c->y || g->edges[at].end[1] != n_y + c->x) {
            at = slot[c->x] = n_edges++;
            g->edges[at] = (struct maxflow_edge){ .end = { c->y, n_y + c->x } };
        }
        g->edges[at].capacity++;
        g->degree[c->y]++;
        g->degree[n_y + c->x]++;
    }
    return n_edges;
}

int collusion_graph_init(struct collusion_graph *g, const struct collusion_edge *clients, size_t n,
                         uint32_t n_y, uint32_t n_x, struct hagg_err *err)
{
    size_t n_vertices = (size_t)n_y + n_x, longest = n > n_vertices ? n : n_vertices;
    uint32_t *first = NULL, *slot = NULL;
    int status = -1;

    *g = (struct collusion_graph){ .n_clients = (uint32_t)n };
    g->edges = calloc(n + 1, sizeof *g->edges);
    g->degree = calloc(n_vertices + 1, sizeof *g->degree);
    g->group = calloc(n_vertices + 1, sizeof *g->group);
    g->order = calloc(longest + 1, sizeof *g->order);
    first = calloc((size_t)n_y + 1, sizeof *first);
    slot = calloc((size_t)n_x + 1, sizeof *slot);
    if (!g->edges || !g->degree || !g->group || !g->order || !first || !slot) {
        err_errno(err, "no memory for a graph of %zu clients", n);
        goto out;
    }
    sort_by_y(clients, g->n_clients, n_y, first, g->order);
    status = maxflow_init(&g->flow, (uint32_t)n_vertices, g->edges,
                          merge(g, clients, g->order, n_y, slot), err);
out:
    free(first);
    free(slot);
    if (status < 0)
        collusion_graph_free(g);
    return status;
}

void collusion_graph_free(struct collusion_graph *g)
{
    maxflow_free(&g->flow);
    free(g->edges);
    free(g->degree);
    free(g->group);
    free(g->order);
    *g = (struct collusion_graph){ 0 };
}

static uint32_t root_of(uint32_t *root, uint32_t v)
{
    while (root[v] != v)
        v = root[v] = root[root[v]];
    return v;
}

/* Returns the root of the connected part with the fewest clients after the cut, if at least two
 * parts have clients. A side of the cut may consist of several parts, each of whose sums is
 * learnt. */
static uint32_t smallest_part(const struct collusion_graph *g, const uint32_t *side, uint32_t *root)
{
    uint32_t *clients = g->group, least = MAXFLOW_NO_GOAL, n_parts = 0;

    for (uint32_t v = 0; v < g->flow.n_vertices; v++) {
        root[v] = v;
        clients[v] = 0;
    }
    for (uint32_t e = 0; e < g->flow.n_edges; e++) {
        uint32_t y = g->edges[e].end[0], x = g->edges[e].end[1];

        if (side[y] == side[x])
            root[root_of(root, y)] = root_of(root, x);
    }
    for (uint32_t e = 0; e < g->flow.n_edges; e++) {
        uint32_t y = g->edges[e].end[0], x = g->edges[e].end[1];

        if (side[y] == side[x])
            clients[root_of(root, y)] += g->edges[e].capacity;
    }
    for (uint32_t v = 0; v < g->flow.n_vertices; v++)
        if (clients[v] > 0) {
            n_parts++;
            if (least == MAXFLOW_NO_GOAL || clients[v] < clients[least])
                least = v;
        }
    return n_parts > 1 ? least : MAXFLOW_NO_GOAL;
}

/* Clients with one end in the side are colluders, those with both ends are exposed. */
static int list_clients(const struct collusion_graph *g, const struct collusion_edge *clients,
                        uint32_t n_y, const uint32_t *side, struct collusion_cut *cut,
                        struct hagg_err *err)
{
    size_t n_ends[3] = { 0 };
    struct collusion_cut c = { 0 };

    for (uint32_t i = 0; i < g->n_clients; i++)
        n_ends[side[clients[i].y] + side[n_y + clients[i].x]]++;
    c.colluders = calloc(n_ends[1] + 1, sizeof *c.colluders);
    c.exposed = calloc(n_ends[2] + 1, sizeof *c.exposed);
    if (!c.colluders || !c.exposed) {
        err_errno(err, "no memory for a cut of %zu clients", n_ends[1]);
        collusion_cut_free(&c);
        return -1;
    }
    for (uint32_t i = 0; i < g->n_clients; i++) {
        uint32_t ends = side[clients[i].y] + side[n_y + clients[i].x];

        if (ends == 1)
            c.colluders[c.n_colluders++] = i;
        else if (ends == 2)
            c.exposed[c.n_exposed++] = i;
    }
    *cut = c;
    return 0;
}

int collusion_graph_cut(const struct collusion_graph *g, const struct collusion_edge *clients,
                        uint32_t n_y, struct collusion_cut *cut, struct hagg_err *err)
{
    uint32_t *side = calloc((size_t)g->flow.n_vertices + 1, sizeof *side);
    uint32_t *root = calloc((size_t)g->flow.n_vertices + 1, sizeof *root);
    uint32_t part;
    int status = -1;

    if (!side || !root) {
        err_errno(err, "no memory for a cut among %u clients", g->n_clients);
        goto out;
    }
    for (uint32_t i = 0; i < g->flow.n_reached; i++)
        side[g->flow.reached[i]] = 1;
    part = smallest_part(g, side, root);
    /* an edge that leaves the part is in the cut too, so there are no more colluders than before */
    for (uint32_t v = 0; part != MAXFLOW_NO_GOAL && v < g->flow.n_vertices; v++)
        side[v] = root_of(root, v) == part;
    status = list_clients(g, clients, n_y, side, cut, err);
out:
    free(side);
    free(root);
    return status;
}

void collusion_cut_free(struct collusion_cut *cut)
{
    free(cut->colluders);
    free(cut->exposed);
    *cut = (struct collusion_cut){ 0 };
}
