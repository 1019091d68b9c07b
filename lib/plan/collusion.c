/*
 * Below, k is z + 1, and a vertex is heavy when it has at least k clients, else light. A small cut
 * has at most z clients; it leaks when it leaves a client on each of its sides.
 */
#include "plan/collusion.h"

#include "plan/collusion_graph.h"

/* Nothing but the running time depends on these numbers: the flows below go to whatever has been
 * dealt with before, and in a shuffled order something of that is soon nearby, however clients are
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

/* The heavy vertices in g->order, shuffled, except that those with by far more clients come first:
 * flows then end at them and do not look through all their edges. Returns their number. */
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
 * Divides the heavy vertices into classes that no small cut divides; goal becomes the same vertex
 * for all of a class. At every moment vertices with different group are divided by some small
 * cut, and all with the same goal are not. A vertex is tried against its group's goal: its flow to
 * all of that is k or more, and it joins, or a cut comes out, and it takes with it what is on its
 * side of the cut. Vertices of one goal are never divided by a small cut, so that taking them for
 * one changes no answer.
 *
 * With only_first it stops at the first cut, its one side then in flow.reached. Returns the number
 * of classes, 2 having stopped.
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

/* The cut around the two ends of one edge. It costs no flow, and where groups are small it is the
 * one that leaks. */
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

/* Whether a small cut separates two of the first n edges: each pair without a common vertex is
 * asked, the one as beginning and the other as goal. */
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
 * Whether a small cut separates an edge from the heavy vertices, which all have this goal, and from
 * the edges that were asked before. Those drain: a cut may go through them, at the cost of
 * their clients, but when it does not it must not leave them on the other side. So of the edges
 * that a leaking cut separates from the rest, the first to be asked gives a flow of at most z.
 * (S. Even's test for vertex connectivity, 1975, in the graph whose vertices are the clients.)
 *
 * Conversely a flow below k gives a set of vertices that a small cut surrounds, and an edge within.
 * One is outside, too: at a heavy vertex, whose clients do not all fit into the cut, or, n_asked
 * edges having k clients or being all there are, among those that drain and are not in the cut.
 */
static bool leaks_from_light(struct collusion_graph *g, uint32_t n_asked, uint32_t goal, uint32_t k)
{
    uint32_t n = 0;

    for (uint32_t e = 0; e < g->flow.n_edges; e++) {
        const uint32_t *end = g->edges[e].end;

        g->edges[e].drains = e < n_asked;
        if (e >= n_asked && g->degree[end[0]] < k && g->degree[end[1]] < k)
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
 * Whether some cut of fewer than k clients leaves clients on both sides; one side is then in
 * flow.reached. If a small cut divides the heavy vertices, it leaks: no heavy vertex is without
 * a client on its own side. Otherwise all heavy vertices are on one side of every small cut, and
 * a client is there with them; it leaks if the other side has an edge, both of whose ends are
 * light. Without heavy vertices, a small cut spares one of any k clients.
 */
static bool leaks(struct collusion_graph *g, uint32_t k)
{
    uint32_t n_asked = 0, goal = 0;
    uint64_t n_clients = 0;

    for (uint32_t e = 0; e < g->flow.n_edges; e++)
        g->edges[e].drains = false;
    if (leaks_around_an_edge(g, k))
        return true;
    switch (divide_heavy(g, k, true)) {
    case 0:
        while (n_asked < g->flow.n_edges && n_clients < k)
            n_clients += g->edges[n_asked++].capacity;
        if (leaks_among(g, n_asked, k))
            return true;
        break;
    case 1:
        goal = g->order[0];
        break;
    default:
        return true;
    }
    return leaks_from_light(g, n_asked, goal, k);
}

/* A vertex that fewer than k clients cut off, if there is one. */
static bool has_light(const struct collusion_graph *g, uint32_t k, uint32_t *light)
{
    for (uint32_t v = 0; v < g->flow.n_vertices; v++)
        if (g->degree[v] > 0 && g->degree[v] < k) {
            *light = v;
            return true;
        }
    return false;
}

/* Whether the condition fails for z = k - 1. */
static bool fails(struct collusion_graph *g, uint32_t k, enum collusion_condition condition)
{
    uint32_t light;

    if (condition == COLLUSION_EXACT)
        return leaks(g, k);
    return has_light(g, k, &light) || divide_heavy(g, k, true) > 1;
}

/* The condition having failed, sees to it that one side of a cut is in flow.reached. Where the
 * paper's has failed by a light vertex, a cut that leaks tells more, if there is one. */
static void give_reason(struct collusion_graph *g, uint32_t k, enum collusion_condition condition)
{
    uint32_t light;

    if (condition == COLLUSION_EXACT || !has_light(g, k, &light) || leaks(g, k))
        return;
    g->flow.reached[0] = light;
    g->flow.n_reached = 1;
}

/* More than all clients cannot collude, and all of them cut every cut. */
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
        g.order[v] = MAXFLOW_NO_GOAL; /* the label of the class whose goal is v */
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
