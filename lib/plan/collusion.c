/*
 * In this file k is z + 1. A vertex is heavy if it has at least k clients, otherwise light. A small
 * cut is one of at most z clients. It leaks if it leaves a client on each of its sides.
 */
#include "plan/collusion.h"

#include "plan/collusion_graph.h"

/* Shuffling affects only the running time. The flows below end at vertices and edges that were
 * processed before, and in a shuffled order one of these is soon nearby, however clients are
 * numbered. */
static void shuffle(uint32_t *list, uint32_t n)
{
    uint64_t state = 1;

    for (uint32_t i = n; i > 1; i--) {
        uint32_t at, kept = list[i - 1];

        state = state * 6364136223846793005u + 1442695040888963407u;
        at = (uint32_t)((state >> 33) % i);
        list[i - 1] = list[at];
        list[at] = kept;
    }
}

/* Writes the heavy vertices to g->order, shuffled, but with those that have far more clients first:
 * flows then end at these and need not examine all their edges. Returns the number of heavy
 * vertices. */
static uint32_t list_heavy(struct collusion_graph *g, uint32_t k)
{
    uint32_t *found = g->group, n = 0, at = 0;

    for (uint32_t v = 0; v < g->flow.n_vertices; v++)
        if (g->degree[v] >= k)
            found[n++] = v;
    shuffle(found, n);
    for (int bit = 31; bit >= 0; bit--)
        for (uint32_t i = 0; i < n; i++)
            if (g->degree[found[i]] >> bit == 1)
                g->order[at++] = found[i];
    return n;
}

/*
 * Divides the heavy vertices into classes that no small cut divides. goal becomes the same vertex
 * for all vertices of a class. Invariant: vertices in different groups are separated by some small
 * cut, and vertices with the same goal are not. Each vertex is tested against the goal of its
 * group. If its flow to all vertices with that goal is k or more, it joins them. Otherwise the flow
 * gives a small cut, and all vertices of the group on its side of the cut become a new group.
 * Because no small cut divides vertices with the same goal, treating them as one vertex changes no
 * answer.
 *
 * If only_first is set, it stops at the first cut and leaves one side of it in flow.reached.
 * Returns the number of classes, or 2 if it stopped early.
 */
static uint32_t divide_heavy(struct collusion_graph *g, uint32_t k, bool only_first)
{
    struct maxflow *flow = &g->flow;
    uint32_t n_heavy = list_heavy(g, k), n_classes = n_heavy > 0;

    for (uint32_t v = 0; v < flow->n_vertices; v++) {
        flow->goal[v] = MAXFLOW_NO_GOAL;
        g->group[v] = g->degree[v] >= k ? g->order[0] : MAXFLOW_NO_GOAL;
    }
    if (n_heavy > 0)
        flow->goal[g->order[0]] = g->order[0];
    for (uint32_t i = 1; i < n_heavy; i++) {
        uint32_t v = g->order[i], goal = g->group[v];

        if (maxflow_bounded(flow, v, v, goal, k) < k) {
            n_classes++;
            if (only_first)
                break;
            for (uint32_t at = 0; at < flow->n_reached; at++)
                if (g->group[flow->reached[at]] == goal)
                    g->group[flow->reached[at]] = v;
            goal = v;
        }
        flow->goal[v] = goal;
    }
    return n_classes;
}

/* Tests the cuts around the two ends of one edge. This needs no flow, and if groups are small it is
 * usually such a cut that leaks. */
static bool leaks_around_an_edge(struct collusion_graph *g, uint32_t k)
{
    for (uint32_t e = 0; e < g->flow.n_edges; e++) {
        const struct maxflow_edge *edge = &g->edges[e];
        uint64_t ends = (uint64_t)g->degree[edge->end[0]] + g->degree[edge->end[1]];

        if (ends - 2 * (uint64_t)edge->capacity < k && ends - edge->capacity < g->n_clients) {
            g->flow.reached[0] = edge->end[0];
            g->flow.reached[1] = edge->end[1];
            g->flow.n_reached = 2;
            return true;
        }
    }
    return false;
}

static bool leaks_from(struct collusion_graph *g, uint32_t e, uint32_t goal, uint32_t k)
{
    const uint32_t *end = g->edges[e].end;

    return maxflow_bounded(&g->flow, end[0], end[1], goal, k) < k;
}

/* Returns true if a small cut separates two of the first n edges. Tests each pair without a common
 * vertex, one as the start and the other as the goal. */
static bool leaks_among(struct collusion_graph *g, uint32_t n, uint32_t k)
{
    for (uint32_t a = 0; a < n; a++) {
        const uint32_t *end = g->edges[a].end;
        bool leaks = false;

        g->flow.goal[end[0]] = g->flow.goal[end[1]] = a;
        for (uint32_t b = a + 1; b < n && !leaks; b++)
            if (g->edges[b].end[0] != end[0] && g->edges[b].end[1] != end[1])
                leaks = leaks_from(g, b, a, k);
        g->flow.goal[end[0]] = g->flow.goal[end[1]] = MAXFLOW_NO_GOAL;
        if (leaks)
            return true;
    }
    return false;
}

/*
 * Tests each edge between light vertices: does a small cut separate it from the heavy vertices,
 * which all have this goal, and from the edges tested before, the first n_tested edges included?
 * The edges tested before drain: a cut may contain them, at the cost of their clients, but must not
 * have them on the side of the edge under test. So of all edges that a leaking cut separates from
 * the rest, the first one tested gives a flow of at most z. (This is S. Even's test for vertex
 * connectivity, 1975, in the graph whose vertices are the clients.)
 *
 * Conversely, a flow below k gives a set of vertices that is surrounded by a small cut and has an
 * edge inside. There is an edge outside, too: at a heavy vertex, because a small cut cannot contain
 * all of its clients; or, without heavy vertices, among the draining edges, because the first
 * n_tested edges have k clients or are all edges, and so are not all in the cut.
 */
static bool leaks_from_light(struct collusion_graph *g, uint32_t n_tested, uint32_t goal,
                             uint32_t k)
{
    uint32_t n = 0;

    for (uint32_t e = 0; e < g->flow.n_edges; e++) {
        const uint32_t *end = g->edges[e].end;

        g->edges[e].drains = e < n_tested;
        if (e >= n_tested && g->degree[end[0]] < k && g->degree[end[1]] < k)
            g->order[n++] = e;
    }
    shuffle(g->order, n);
    for (uint32_t i = 0; i < n; i++) {
        if (leaks_from(g, g->order[i], goal, k))
            return true;
        g->edges[g->order[i]].drains = true;
    }
    return false;
}

/*
 * Returns true if a small cut leaks, and leaves one side of it in flow.reached. A small cut that
 * divides the heavy vertices leaks, because it cannot contain all clients of a heavy vertex.
 * Otherwise all heavy vertices, and a client, are on the same side of every small cut; the cut
 * leaks if the other side has an edge, both of whose ends are then light. If there are no heavy
 * vertices, a small cut leaves out at least one of any k clients.
 */
static bool leaks(struct collusion_graph *g, uint32_t k)
{
    uint32_t n_tested = 0, goal = 0;
    uint64_t n_clients = 0;

    for (uint32_t e = 0; e < g->flow.n_edges; e++)
        g->edges[e].drains = false;
    if (leaks_around_an_edge(g, k))
        return true;
    switch (divide_heavy(g, k, true)) {
    case 0:
        while (n_tested < g->flow.n_edges && n_clients < k)
            n_clients += g->edges[n_tested++].capacity;
        if (leaks_among(g, n_tested, k))
            return true;
        break;
    case 1:
        goal = g->order[0];
        break;
    default:
        return true;
    }
    return leaks_from_light(g, n_tested, goal, k);
}

/* Finds a light vertex that has clients. */
static bool has_light(const struct collusion_graph *g, uint32_t k, uint32_t *light)
{
    for (uint32_t v = 0; v < g->flow.n_vertices; v++)
        if (g->degree[v] > 0 && g->degree[v] < k) {
            *light = v;
            return true;
        }
    return false;
}

/* Returns true if the condition fails for z = k - 1. */
static bool fails(struct collusion_graph *g, uint32_t k, enum collusion_condition condition)
{
    uint32_t light;

    if (condition == COLLUSION_EXACT)
        return leaks(g, k);
    return has_light(g, k, &light) || divide_heavy(g, k, true) > 1;
}

/* Called after the condition failed; makes sure that one side of a cut is in flow.reached. If the
 * paper's condition failed because of a light vertex, a leaking cut is a better reason, if there is
 * one. */
static void give_reason(struct collusion_graph *g, uint32_t k, enum collusion_condition condition)
{
    uint32_t light;

    if (condition == COLLUSION_EXACT || !has_light(g, k, &light) || leaks(g, k))
        return;
    g->flow.reached[0] = light;
    g->flow.n_reached = 1;
}

/* Limits z to n: no more than all clients can collude. */
static uint32_t k_of(uint32_t z, size_t n)
{
    return (z < n ? z : (uint32_t)n) + 1;
}

int collusion_private(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                      uint32_t z, enum collusion_condition condition, struct collusion_cut *cut,
                      struct hagg_err *err)
{
    struct collusion_graph g;
    int status = 1;

    if (cut)
        *cut = (struct collusion_cut){ 0 };
    if (collusion_graph_init(&g, edges, n, n_y, n_x, err) < 0)
        return -1;
    if (fails(&g, k_of(z, n), condition)) {
        status = 0;
        if (cut) {
            give_reason(&g, k_of(z, n), condition);
            status = collusion_graph_cut(&g, edges, n_y, cut, err);
        }
    }
    collusion_graph_free(&g);
    return status;
}

int collusion_strength(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                       enum collusion_condition condition, uint32_t limit, int64_t *strength,
                       struct hagg_err *err)
{
    int64_t least = -1, most = limit < n ? limit : (int64_t)n;
    struct collusion_graph g;

    if (collusion_graph_init(&g, edges, n, n_y, n_x, err) < 0)
        return -1;
    while (least < most) {
        int64_t z = most - (most - least) / 2;

        if (fails(&g, k_of((uint32_t)z, n), condition))
            most = z - 1;
        else
            least = z;
    }
    *strength = least == (int64_t)n ? limit : least;
    collusion_graph_free(&g);
    return 0;
}

int collusion_classes(const struct collusion_edge *edges, size_t n, uint32_t n_y, uint32_t n_x,
                      uint32_t z, uint32_t *label, uint32_t *n_classes, struct hagg_err *err)
{
    struct collusion_graph g;
    uint32_t count = 0;

    if (collusion_graph_init(&g, edges, n, n_y, n_x, err) < 0)
        return -1;
    divide_heavy(&g, k_of(z, n), false);
    for (uint32_t v = 0; v < g.flow.n_vertices; v++)
        g.order[v] = MAXFLOW_NO_GOAL; /* becomes the label of the class with goal v */
    for (uint32_t v = 0; v < g.flow.n_vertices; v++) {
        uint32_t goal = g.flow.goal[v] == MAXFLOW_NO_GOAL ? v : g.flow.goal[v];

        if (g.order[goal] == MAXFLOW_NO_GOAL)
            g.order[goal] = count++;
        label[v] = g.order[goal];
    }
    *n_classes = count;
    collusion_graph_free(&g);
    return 0;
}
