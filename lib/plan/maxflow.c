#include "plan/maxflow.h"

#include <stdlib.h>

enum { UNSEEN, START, SEEN }; /* values of via[v]; SEEN + a means reached along arc a */

static void list_arcs(struct maxflow *m)
{
    uint32_t *next = m->via; /* not in use yet */

    for (uint32_t e = 0; e < m->n_edges; e++)
        for (int s = 0; s < 2; s++)
            m->first[m->edges[e].end[s] + 1]++;
    for (uint32_t v = 0; v < m->n_vertices; v++) {
        m->first[v + 1] += m->first[v];
        next[v] = m->first[v];
    }
    for (uint32_t e = 0; e < m->n_edges; e++)
        for (uint32_t s = 0; s < 2; s++)
            m->arcs[next[m->edges[e].end[s]]++] = 2 * e + s;
    for (uint32_t v = 0; v < m->n_vertices; v++)
        next[v] = UNSEEN;
}

int maxflow_init(struct maxflow *m, uint32_t n_vertices, struct maxflow_edge *edges,
                 uint32_t n_edges, struct hagg_err *err)
{
    size_t vertices = n_vertices, n = 4 * vertices + 1 + 3 * (size_t)n_edges;

    *m = (struct maxflow){ .n_vertices = n_vertices, .n_edges = n_edges, .edges = edges };
    m->memory = calloc(n, sizeof *m->memory);
    if (!m->memory)
        return err_errno(err, "no memory for a graph of %u edges", n_edges);
    m->first = m->memory;
    m->goal = m->first + vertices + 1;
    m->reached = m->goal + vertices;
    m->via = m->reached + vertices;
    m->arcs = m->via + vertices;
    m->touched = m->arcs + 2 * (size_t)n_edges;
    for (uint32_t v = 0; v < n_vertices; v++)
        m->goal[v] = MAXFLOW_NO_GOAL;
    list_arcs(m);
    return 0;
}

/* Returns the residual capacity of an arc. Sets *arrives if flow along it ends there. */
static int32_t room_on(const struct maxflow *m, uint32_t arc, bool *arrives)
{
    const struct maxflow_edge *edge = &m->edges[arc / 2];
    uint32_t side = arc % 2;
    int32_t room = (int32_t)edge->capacity - edge->flow[side];

    *arrives = false;
    if (!edge->drains)
        return room;
    room -= edge->flow[!side];
    *arrives = room > 0;
    /* a full edge can still accept flow from this end if it returns flow to the other end */
    return room > 0 ? room : edge->flow[!side];
}

/* Replaces *arc by its predecessor on the path; returns false at the start. */
static bool step_back(const struct maxflow *m, uint32_t *arc)
{
    uint32_t via = m->via[m->edges[*arc / 2].end[*arc % 2]];

    if (via == START)
        return false;
    *arc = via - SEEN;
    return true;
}

/* Sends as much flow as possible along the path that ends with this arc, and returns the amount: 0
 * if an arc of the path became full since the path was found. */
static uint32_t augment(struct maxflow *m, uint32_t last)
{
    int32_t least = INT32_MAX, room;
    uint32_t arc = last;
    bool arrives;

    do {
        room = room_on(m, arc, &arrives);
        least = room < least ? room : least;
    } while (least > 0 && step_back(m, &arc));
    if (least <= 0)
        return 0;
    arc = last;
    do {
        struct maxflow_edge *edge = &m->edges[arc / 2];

        room_on(m, arc, &arrives);
        edge->flow[arc % 2] += least;
        if (!arrives)
            edge->flow[!(arc % 2)] -= least;
        if (!edge->touched)
            m->touched[m->n_touched++] = arc / 2;
        edge->touched = true;
    } while (step_back(m, &arc));
    return (uint32_t)least;
}

/* Searches breadth first along arcs with residual capacity, and augments whenever a goal is
 * reached. Returns the flow added; if it is 0, reached has all vertices that can be reached. After
 * the first augmentation the search continues for a fixed multiple of the vertices visited so far:
 * other goals are mostly close, and once paths are full it is cheaper to restart than to search
 * everywhere. */
static uint64_t search(struct maxflow *m, uint32_t a, uint32_t b, uint32_t goal, uint64_t bound)
{
    enum { TIMES = 16 };
    uint64_t flow = 0, end = UINT64_MAX;

    m->n_reached = 0;
    m->reached[m->n_reached++] = a;
    if (b != a)
        m->reached[m->n_reached++] = b;
    m->via[a] = m->via[b] = START;
    for (uint32_t at = 0; at < m->n_reached && at < end && flow < bound; at++) {
        uint32_t v = m->reached[at];

        for (uint32_t i = m->first[v]; i < m->first[v + 1] && flow < bound; i++) {
            uint32_t arc = m->arcs[i], to = m->edges[arc / 2].end[!(arc % 2)];
            bool arrives;

            if (room_on(m, arc, &arrives) <= 0)
                continue;
            if (arrives || m->goal[to] == goal) {
                if (flow == 0)
                    end = TIMES * ((uint64_t)at + 1);
                flow += augment(m, arc);
            } else if (m->via[to] == UNSEEN) {
                m->via[to] = SEEN + arc;
                m->reached[m->n_reached++] = to;
            }
        }
    }
    return flow;
}

uint64_t maxflow_bounded(struct maxflow *m, uint32_t a, uint32_t b, uint32_t goal, uint32_t bound)
{
    uint64_t flow = 0, more = 1;

    while (more > 0 && flow < bound) {
        more = search(m, a, b, goal, bound - flow);
        flow += more;
        for (uint32_t at = 0; at < m->n_reached; at++)
            m->via[m->reached[at]] = UNSEEN;
    }
    while (m->n_touched > 0) {
        struct maxflow_edge *edge = &m->edges[m->touched[--m->n_touched]];

        edge->flow[0] = edge->flow[1] = 0;
        edge->touched = false;
    }
    return flow;
}

void maxflow_free(struct maxflow *m)
{
    free(m->memory);
    *m = (struct maxflow){ 0 };
}
