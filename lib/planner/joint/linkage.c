#include "planner/joint/linkage.h"

#include <stdlib.h>
#include <string.h>

int linkage_new(struct linkage *l, uint32_t n_vertices, uint32_t n_clients)
{
    *l = (struct linkage){ .n_vertices = n_vertices };
    l->first = malloc(n_vertices * sizeof *l->first);
    l->n_links = malloc(n_vertices * sizeof *l->n_links);
    l->degree = malloc(n_vertices * sizeof *l->degree);
    /* one more than clients, because a move adds before it removes */
    l->links = calloc(n_clients + (size_t)1, sizeof *l->links);
    l->seen = calloc(n_vertices, sizeof *l->seen);
    l->via = malloc(n_vertices * sizeof *l->via);
    l->queue = malloc(n_vertices * sizeof *l->queue);
    if (!l->first || !l->n_links || !l->degree || !l->links || !l->seen || !l->via || !l->queue) {
        linkage_free(l);
        return -1;
    }
    for (uint32_t i = 0; i < n_clients; i++)
        l->links[i].next[0] = i + 1;
    l->links[n_clients].next[0] = LINKAGE_END;
    memset(l->first, 0xff, n_vertices * sizeof *l->first);
    memset(l->n_links, 0, n_vertices * sizeof *l->n_links);
    memset(l->degree, 0, n_vertices * sizeof *l->degree);
    return 0;
}

void linkage_free(struct linkage *l)
{
    free(l->first);
    free(l->n_links);
    free(l->degree);
    free(l->links);
    free(l->seen);
    free(l->via);
    free(l->queue);
    *l = (struct linkage){ 0 };
}

static uint32_t find(const struct linkage *l, uint32_t u, uint32_t v)
{
    uint32_t from = l->n_links[u] <= l->n_links[v] ? u : v;
    uint32_t to = from == u ? v : u;
    uint32_t i = l->first[from];

    while (i != LINKAGE_END && linkage_across(l, i, from) != to)
        i = linkage_next(l, i, from);
    return i;
}

static void chain(struct linkage *l, uint32_t link, int side)
{
    struct linkage_link *k = &l->links[link];
    uint32_t v = k->end[side], old = l->first[v];

    k->next[side] = old;
    k->prev[side] = LINKAGE_END;
    if (old != LINKAGE_END)
        l->links[old].prev[l->links[old].end[0] != v] = link;
    l->first[v] = link;
    l->n_links[v]++;
}

static void unchain(struct linkage *l, uint32_t link, int side)
{
    const struct linkage_link *k = &l->links[link];
    uint32_t v = k->end[side], next = k->next[side], prev = k->prev[side];

    if (next != LINKAGE_END)
        l->links[next].prev[l->links[next].end[0] != v] = prev;
    if (prev != LINKAGE_END)
        l->links[prev].next[l->links[prev].end[0] != v] = next;
    else
        l->first[v] = next;
    l->n_links[v]--;
}

static void discard(struct linkage *l, uint32_t link)
{
    unchain(l, link, 0);
    unchain(l, link, 1);
    l->links[link].next[0] = l->spare;
    l->spare = link;
}

void linkage_clear(struct linkage *l)
{
    for (uint32_t v = 0; v < l->n_vertices; v++) {
        while (l->first[v] != LINKAGE_END)
            discard(l, l->first[v]);
        l->degree[v] = 0;
    }
}

void linkage_add(struct linkage *l, uint32_t u, uint32_t v)
{
    uint32_t link = find(l, u, v);

    l->degree[u]++;
    l->degree[v]++;
    if (link != LINKAGE_END) {
        l->links[link].clients++;
        return;
    }
    link = l->spare;
    l->spare = l->links[link].next[0];
    l->links[link].end[0] = u;
    l->links[link].end[1] = v;
    l->links[link].clients = 1;
    chain(l, link, 0);
    chain(l, link, 1);
}

void linkage_remove(struct linkage *l, uint32_t u, uint32_t v)
{
    uint32_t link = find(l, u, v);

    l->degree[u]--;
    l->degree[v]--;
    if (--l->links[link].clients == 0)
        discard(l, link);
}

/* The residual capacity of the link away from v in the current search. */
static int64_t residue(const struct linkage *l, uint32_t link, uint32_t v)
{
    const struct linkage_link *k = &l->links[link];

    if (k->stamp != l->stamp)
        return k->clients;
    return k->end[0] == v ? k->clients - k->flow : k->clients + k->flow;
}

static void push(struct linkage *l, uint32_t link, uint32_t v, int64_t amount)
{
    struct linkage_link *k = &l->links[link];

    if (k->stamp != l->stamp) {
        k->stamp = l->stamp;
        k->flow = 0;
    }
    k->flow += k->end[0] == v ? amount : -amount;
}

static bool among(uint32_t v, const uint32_t set[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (set[i] == v)
            return true;
    return false;
}

/* Breadth first, so that a direct link or a short path is found at once. Returns the vertex of v
 * that was reached, or LINKAGE_END. */
static uint32_t walk(struct linkage *l, const uint32_t u[], size_t n_u, const uint32_t v[],
                     size_t n_v)
{
    uint32_t head = 0, tail = 0;

    l->walk++;
    for (size_t i = 0; i < n_u; i++) {
        l->seen[u[i]] = l->walk;
        l->via[u[i]] = LINKAGE_END;
        l->queue[tail++] = u[i];
    }
    while (head < tail) {
        uint32_t at = l->queue[head++];

        for (uint32_t i = l->first[at]; i != LINKAGE_END; i = linkage_next(l, i, at)) {
            uint32_t to = linkage_across(l, i, at);

            if (l->seen[to] == l->walk || residue(l, i, at) == 0)
                continue;
            l->seen[to] = l->walk;
            l->via[to] = i;
            if (among(to, v, n_v))
                return to;
            l->queue[tail++] = to;
        }
    }
    return LINKAGE_END;
}

static uint64_t degree(const struct linkage *l, const uint32_t set[], size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += l->degree[set[i]];
    return sum;
}

bool linkage_min_cut_at_least(struct linkage *l, const uint32_t u[], size_t n_u, const uint32_t v[],
                              size_t n_v, uint32_t limit)
{
    int64_t left = limit;

    l->stamp++;
    /* a small cut is likely near the end with few clients, and a walk from there stops early */
    if (degree(l, u, n_u) > degree(l, v, n_v)) {
        const uint32_t *swap = u;
        size_t n = n_u;

        u = v, n_u = n_v;
        v = swap, n_v = n;
    }
    while (left > 0) {
        uint32_t end = walk(l, u, n_u, v, n_v), at;
        int64_t most = left;

        if (end == LINKAGE_END)
            return false;
        for (at = end; l->via[at] != LINKAGE_END; at = linkage_across(l, l->via[at], at)) {
            int64_t r = residue(l, l->via[at], linkage_across(l, l->via[at], at));

            most = r < most ? r : most;
        }
        for (at = end; l->via[at] != LINKAGE_END; at = linkage_across(l, l->via[at], at))
            push(l, l->via[at], linkage_across(l, l->via[at], at), most);
        left -= most;
    }
    return true;
}

/* A cut of at most z clients that violates the condition now, but not before the move, has u and v
 * on different sides: if they were on one side, the cut would have been no larger before. Under the
 * exact condition each side has a client left. On the side of u, one of these clients is in u: a
 * component of that side without u would be cut off by as few clients, and was so before the move.
 * The same is true of v. So it is enough to try all pairs of a client of u and a client of v. */
bool linkage_still_private(struct linkage *l, uint32_t u, uint32_t v, uint32_t z,
                           enum collusion_condition condition)
{
    unsigned patience = 200;

    if (l->first[v] == LINKAGE_END || linkage_min_cut_at_least(l, &u, 1, &v, 1, z + 1))
        return true;
    if (condition == COLLUSION_PAPER)
        return false;
    for (uint32_t i = l->first[u]; i != LINKAGE_END; i = linkage_next(l, i, u)) {
        uint32_t of_u[2] = { u, linkage_across(l, i, u) };

        if (of_u[1] == v || linkage_min_cut_at_least(l, of_u, 2, &v, 1, z + 1))
            continue;
        for (uint32_t k = l->first[v]; k != LINKAGE_END; k = linkage_next(l, k, v)) {
            uint32_t of_v[2] = { v, linkage_across(l, k, v) };

            if (of_v[1] == u)
                continue;
            if (patience-- == 0 || !linkage_min_cut_at_least(l, of_u, 2, of_v, 2, z + 1))
                return false;
        }
    }
    return true;
}
