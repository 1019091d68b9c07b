#include "planner/joint/leaks.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct leaks_vertex {
    uint32_t first; /* client of the group */
    uint32_t order; /* in which it was visited; 0: not yet */
    uint32_t low;   /* the least order that its subtree reaches */
    uint32_t edges; /* found in its subtree */
};

struct leaks_step {
    uint32_t vertex, client; /* client: by which it was reached */
    uint32_t next;           /* client to follow */
};

struct leaks_bridge {
    uint32_t client, edges; /* edges: on one side of it */
};

int leaks_new(struct leaks *l, uint32_t n_clients, uint32_t z, const uint32_t *y, const uint32_t *x,
              uint32_t n_groups, struct hagg_err *err)
{
    *l = (struct leaks){
        .n_clients = n_clients,
        .z = z,
        .of = { y, x },
        .n_groups = n_groups,
        .vertices = calloc(2 * (size_t)n_groups, sizeof *l->vertices),
        .stack = calloc(n_clients + (size_t)2, sizeof *l->stack),
        .bridges = calloc(n_clients + (size_t)1, sizeof *l->bridges),
        .next = calloc(2 * (size_t)n_clients + 1, sizeof *l->next),
        .gone = calloc(n_clients + (size_t)1, sizeof *l->gone),
        .without = calloc(n_clients + (size_t)1, sizeof *l->without),
    };
    if (l->vertices && l->stack && l->bridges && l->next && l->gone && l->without)
        return 0;
    leaks_free(l);
    return err_errno(err, "no memory to plan for full collusion");
}

void leaks_free(struct leaks *l)
{
    free(l->vertices);
    free(l->stack);
    free(l->bridges);
    free(l->next);
    free(l->gone);
    free(l->without);
    *l = (struct leaks){ 0 };
}

static uint32_t vertex_of(const struct leaks *l, uint32_t client, unsigned side)
{
    return l->of[side][client] * 2 + side;
}

static void link_clients(struct leaks *l)
{
    for (uint32_t i = 0; i < l->n_clients; i++)
        for (unsigned s = 0; s < 2; s++)
            l->vertices[vertex_of(l, i, s)].first = NONE;
    for (uint32_t i = 0; i < l->n_clients; i++)
        for (unsigned s = 0; s < 2; s++) {
            struct leaks_vertex *v = &l->vertices[vertex_of(l, i, s)];

            l->next[2 * i + s] = v->first;
            v->first = i;
        }
}

static void enter(struct leaks *l, uint32_t vertex, uint32_t client, uint32_t *depth,
                  uint32_t *order)
{
    struct leaks_vertex *v = &l->vertices[vertex];

    v->order = v->low = ++*order;
    v->edges = 0;
    l->stack[(*depth)++] = (struct leaks_step){ vertex, client, v->first };
}

/* Visits a connected component in depth-first order. Each edge is found once, at its first end, so
 * if no edge leads from a subtree to a vertex before it, all edges found there are inside. Returns
 * the number of edges. */
static uint32_t visit(struct leaks *l, uint32_t start, uint32_t *order, uint32_t *n_bridges)
{
    uint32_t depth = 0;

    *n_bridges = 0;
    enter(l, start, NONE, &depth, order);
    for (;;) {
        struct leaks_step *at = &l->stack[depth - 1];
        struct leaks_vertex *v = &l->vertices[at->vertex];
        uint32_t client = at->next;

        if (client != NONE) {
            unsigned side = at->vertex % 2;
            uint32_t other = vertex_of(l, client, 1 - side);

            at->next = l->next[2 * client + side];
            if (l->gone[client])
                continue;
            l->gone[client] = true;
            v->edges++;
            if (l->vertices[other].order == 0)
                enter(l, other, client, &depth, order);
            else if (l->vertices[other].order < v->low)
                v->low = l->vertices[other].order;
            continue;
        }
        if (--depth == 0)
            return v->edges;
        struct leaks_vertex *parent = &l->vertices[l->stack[depth - 1].vertex];
        parent->edges += v->edges;
        if (v->low < parent->low)
            parent->low = v->low;
        if (v->low > parent->order)
            l->bridges[(*n_bridges)++] = (struct leaks_bridge){ at->client, v->edges };
    }
}

/* Notes the set, and one client more unless it is NONE, with probability weight / n, where n is the
 * total weight so far. */
static void pick(struct leaks *l, const uint32_t *set, uint32_t more, uint32_t weight, uint64_t n,
                 struct effort *e)
{
    if (!e || effort_random(e, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX) >= weight)
        return;
    l->n_removed = l->z > 0 ? l->z - 1 : 0;
    memcpy(l->removed, set, l->n_removed * sizeof *set);
    if (more != NONE)
        l->removed[l->n_removed++] = more;
}

/* The leaks of these z - 1 clients with any other. n_before have been found. */
static uint64_t count_without(struct leaks *l, const uint32_t *set, uint64_t n_before,
                              struct effort *e)
{
    uint64_t n = 0;
    uint32_t order = 0, n_bridges, n_left = l->n_clients - (l->z > 0 ? l->z - 1 : 0);

    memcpy(l->gone, l->without, l->n_clients * sizeof *l->gone);
    for (uint32_t i = 0; i < l->n_clients; i++)
        l->vertices[vertex_of(l, i, 0)].order = l->vertices[vertex_of(l, i, 1)].order = 0;
    for (uint32_t i = 0; i < l->n_clients; i++) {
        if (l->gone[i])
            continue;
        uint32_t n_edges = visit(l, vertex_of(l, i, 0), &order, &n_bridges);
        l->n_visits += n_edges;
        if (n_edges < n_left) {
            n += n_left - n_edges; /* each part of a divided graph counts those in the others */
            pick(l, set, NONE, n_left - n_edges, n_before + n, e);
            continue;
        }
        for (uint32_t k = 0; k < n_bridges && l->z > 0; k++)
            if (l->bridges[k].edges > 0 && l->bridges[k].edges + 1 < n_edges)
                pick(l, set, l->bridges[k].client, 1, n_before + ++n, e);
    }
    return n;
}

uint64_t leaks_visits(uint32_t n_clients, uint32_t z)
{
    uint64_t n = n_clients;

    for (uint32_t k = 1; k < z && n < UINT64_MAX / n_clients; k++)
        n = n * (n_clients - k + 1) / k;
    return n;
}

uint64_t leaks_count(struct leaks *l, uint64_t limit, struct effort *e)
{
    uint32_t set[LEAKS_MOST], k = l->z > 0 ? l->z - 1 : 0;
    uint64_t n = 0;

    link_clients(l);
    memset(l->without, 0, l->n_clients * sizeof *l->without);
    for (uint32_t i = 0; i < k; i++)
        l->without[set[i] = i] = true;
    for (;;) {
        uint32_t at = k;

        n += count_without(l, set, n, e);
        if (n > limit)
            return n;
        /* the next set of k clients */
        while (at > 0 && set[at - 1] == l->n_clients - k + at - 1)
            l->without[set[--at]] = false;
        if (at == 0)
            return n;
        l->without[set[at - 1]] = false;
        l->without[++set[at - 1]] = true;
        for (; at < k; at++)
            l->without[set[at] = set[at - 1] + 1] = true;
    }
}

void leaks_divide(struct leaks *l, uint8_t *part)
{
    uint32_t order = 0, n_bridges, first = 0;

    link_clients(l);
    memset(l->gone, 0, l->n_clients * sizeof *l->gone);
    for (uint32_t k = 0; k < l->n_removed; k++)
        l->gone[l->removed[k]] = true;
    for (uint32_t i = 0; i < l->n_clients; i++) {
        part[i] = l->gone[i] ? 2 : 1;
        l->vertices[vertex_of(l, i, 0)].order = l->vertices[vertex_of(l, i, 1)].order = 0;
    }
    while (first < l->n_clients && l->gone[first])
        first++;
    if (first == l->n_clients)
        return;
    visit(l, vertex_of(l, first, 0), &order, &n_bridges);
    for (uint32_t i = 0; i < l->n_clients; i++)
        if (part[i] == 1 && l->vertices[vertex_of(l, i, 0)].order > 0)
            part[i] = 0;
}
