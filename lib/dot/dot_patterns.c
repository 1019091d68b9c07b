#include "dot/dot_patterns.h"

#include <stdlib.h>

#include "plan/plan_patterns.h"

/* If more clients than this share an edge, only their number is printed. */
#define CLIENTS_NAMED 8
#define WIDEST        6.0

/* A client between two vertices. If it has only one sharing, left is its reach. */
struct edge {
    uint32_t left, right, client;
};

static int compare_edges(const void *x, const void *y)
{
    const struct edge *a = x, *b = y;

    if (a->left != b->left)
        return a->left < b->left ? -1 : 1;
    if (a->right != b->right)
        return a->right < b->right ? -1 : 1;
    return (a->client > b->client) - (a->client < b->client);
}

static void print_clients(struct text *text, const struct edge *edges, size_t n)
{
    if (n > CLIENTS_NAMED)
        text_printf(text, "%zu clients", n);
    for (size_t i = 0; i < n && n <= CLIENTS_NAMED; i++)
        text_printf(text, "%s%u", i > 0 ? " " : "", edges[i].client);
}

static void print_vertices(struct text *text, const struct plan_patterns *patterns, char side,
                           const char *what)
{
    for (size_t i = 0; i < patterns->n; i++) {
        const struct topology_list *list = patterns->routes[i].lists[0];

        text_printf(text, "  %c%zu [label=\"%s", side, i, what);
        for (size_t j = 0; j < list->n; j++)
            text_printf(text, " %u", list->numbers[j]);
        text_printf(text, "\"]\n");
    }
}

static void print_edges(struct text *text, const struct edge *edges, size_t n)
{
    size_t end;

    for (size_t i = 0; i < n; i = end) {
        double width;

        for (end = i + 1;
             end < n && edges[end].left == edges[i].left && edges[end].right == edges[i].right;)
            end++;
        width = (double)(end - i);
        text_printf(text, "  l%u -- r%u [label=\"", edges[i].left, edges[i].right);
        print_clients(text, edges + i, end - i);
        text_printf(text, "\" penwidth=%.1f]\n", width < WIDEST ? width : WIDEST);
    }
}

int dot_patterns_print(const struct plan *p, struct text *text, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct plan_patterns left = { 0 }, right = { 0 };
    struct edge *edges = calloc(t->n_clients, sizeof *edges);
    size_t last = plan_tiers(p) - 1;
    bool two = t->full; /* each client has two sharings */
    int status = edges ? 0 : err_errno(err, "%s", p->name);

    if (status == 0)
        status = plan_patterns_new(&left, p, two ? PLAN_SHARES : PLAN_REACHES, two ? last : 0, err);
    if (status == 0)
        status = plan_patterns_new(&right, p, two ? PLAN_KEYS : PLAN_SHARES, last, err);
    if (status == 0) {
        for (size_t i = 0; i < t->n_clients; i++)
            edges[i] = (struct edge){ left.of_group[t->clients[i].group],
                                      right.of_group[t->clients[i].group], t->clients[i].number };
        qsort(edges, t->n_clients, sizeof *edges, compare_edges);
        text_printf(text, "graph plan {\n  rankdir=LR\n  ranksep=2\n"
                          "  node [shape=box style=rounded fontname=Helvetica]\n"
                          "  edge [fontname=Helvetica]\n");
        print_vertices(text, &left, 'l', !two ? "reach" : last > 0 ? "relays" : "shares");
        print_vertices(text, &right, 'r',
                       last > 0 && two ? "key-relays"
                       : last > 0      ? "relays"
                       : two           ? "keys"
                                       : "shares");
        print_edges(text, edges, t->n_clients);
        text_printf(text, "}\n");
    }
    plan_patterns_free(&left);
    plan_patterns_free(&right);
    free(edges);
    return status;
}
