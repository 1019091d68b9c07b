#include "plan/plan_collusion.h"

#include <stdlib.h>

#include "plan/plan_patterns.h"
#include "base/text.h"

/* Clients listed in a message. Further ones are only counted. */
#define CLIENTS_NAMED 12

static int fill(struct plan_graph *graph, const struct plan *p, const struct rangeset *among,
                const struct plan_patterns *shares, const struct plan_patterns *keys,
                struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    graph->n_y = (uint32_t)shares->n;
    graph->n_x = (uint32_t)keys->n;
    graph->edges = calloc(t->n_clients, sizeof *graph->edges);
    graph->clients = calloc(t->n_clients, sizeof *graph->clients);
    if (!graph->edges || !graph->clients)
        return err_errno(err, "%s", p->name);
    for (size_t i = 0; i < t->n_clients; i++) {
        const struct topology_client *c = &t->clients[i];

        if (among && rangeset_overlap(among, c->number, c->number) == 0)
            continue;
        graph->clients[graph->n_edges] = c->number;
        graph->edges[graph->n_edges++] =
            (struct collusion_edge){ shares->of_group[c->group], keys->of_group[c->group] };
    }
    return 0;
}

int plan_graph_new(struct plan_graph *graph, const struct plan *p, bool whole,
                   const struct rangeset *among, struct hagg_err *err)
{
    struct plan_patterns shares = { 0 }, keys = { 0 };
    size_t last = whole ? 0 : plan_tiers(p) - 1; /* the tier whose sums the federator sees */
    int status = -1;

    *graph = (struct plan_graph){ 0 };
    if (plan_patterns_new(&shares, p, whole ? PLAN_REACHES : PLAN_SHARES, last, err) == 0 &&
        plan_patterns_new(&keys, p, whole ? PLAN_REACHES : PLAN_KEYS, last, err) == 0)
        status = fill(graph, p, among, &shares, &keys, err);
    plan_patterns_free(&shares);
    plan_patterns_free(&keys);
    if (status)
        plan_graph_free(graph);
    return status;
}

void plan_graph_free(struct plan_graph *graph)
{
    free(graph->edges);
    free(graph->clients);
    *graph = (struct plan_graph){ 0 };
}

static void put_clients(struct text *t, const struct plan_graph *graph, const uint32_t *edges,
                        size_t n)
{
    text_printf(t, "client%s", n == 1 ? "" : "s");
    for (size_t i = 0; i < n && i < CLIENTS_NAMED; i++)
        text_printf(t, " %u", graph->clients[edges[i]]);
    if (n > CLIENTS_NAMED)
        text_printf(t, " and %zu more", n - CLIENTS_NAMED);
}

static int refuse(const struct plan *p, const struct plan_graph *graph, bool survivors,
                  const struct collusion_cut *cut, struct hagg_err *err)
{
    struct text text = { 0 };
    int status;

    text_printf(&text, "the federator");
    if (cut->n_colluders > 0) {
        text_printf(&text, " with ");
        put_clients(&text, graph, cut->colluders, cut->n_colluders);
    }
    text_printf(&text, " would learn %s of ", cut->n_exposed == 1 ? "the vector" : "the sum");
    put_clients(&text, graph, cut->exposed, cut->n_exposed);
    status =
        err_set(err, HAGG_E_PRIVACY, "%s: %s%s: %s", p->name,
                survivors ? "with the other clients missing, " : "",
                text_ok(&text) ? text.bytes : "too much would be revealed",
                survivors ? "make a plan with drop clients=N, where N is how many may be missing"
                          : "choose other station sets with hagg-plan");
    text_free(&text);
    return status;
}

static uint32_t client_of(const struct topology *t, size_t group)
{
    size_t i = 0;

    while (t->clients[i].group != group)
        i++;
    return t->clients[i].number;
}

/* The last occurrence of a station. */
struct place {
    size_t pattern; /* 1 + the relays' pattern */
    size_t group, index;
};

/* Checks the groups of one pattern, which are linked by next. */
static int check_pattern(const struct plan *p, enum plan_what what, size_t pattern, size_t group,
                         const size_t *next, struct place *places, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    for (; group < t->n_groups; group = next[group]) {
        struct plan_route route;

        plan_route(p, &t->groups[group], what, &route);
        for (size_t i = 0; i < route.lists[0]->n; i++) {
            uint32_t station = route.lists[0]->numbers[i];
            struct place *at = &places[station];

            if (at->pattern == pattern + 1 && at->index != i)
                return err_set(
                    err, HAGG_E_PRIVACY,
                    "%s: relays add up clients %u and %u, but station %u has share %zu of one and "
                    "share %zu of the other, so the station and the federator together would learn "
                    "about each: choose other station sets with hagg-plan",
                    p->name, client_of(t, at->group), client_of(t, group), station, at->index + 1,
                    i + 1);
            *at = (struct place){ pattern + 1, group, i };
        }
    }
    return 0;
}

static int check_relayed(const struct plan *p, enum plan_what what, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct plan_patterns patterns;
    struct place *places = calloc((size_t)t->n_stations + 1, sizeof *places);
    size_t *first = malloc(t->n_groups * sizeof *first); /* by pattern: its first group */
    size_t *next = malloc(t->n_groups * sizeof *next); /* by group: the next of the same pattern */
    int status = -1;

    if (!places || !first || !next) {
        err_errno(err, "%s", p->name);
        goto out;
    }
    if (plan_patterns_new(&patterns, p, what, 1, err))
        goto out;
    for (size_t i = 0; i < t->n_groups; i++)
        first[i] = t->n_groups;
    for (size_t g = t->n_groups; g-- > 0;) {
        next[g] = first[patterns.of_group[g]];
        first[patterns.of_group[g]] = g;
    }
    status = 0;
    for (size_t i = 0; i < patterns.n && status == 0; i++)
        status = check_pattern(p, what, i, first[i], next, places, err);
    plan_patterns_free(&patterns);
out:
    free(places);
    free(first);
    free(next);
    return status;
}

int plan_collusion_check_relays(const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    /* with transform, shares are shared again with fresh randomness, so positions do not matter */
    if (!t->full || t->n_relays == 0 || t->transform || t->collude_stations == 0)
        return 0;
    return check_relayed(p, PLAN_SHARES, err) || check_relayed(p, PLAN_KEYS, err) ? -1 : 0;
}

int plan_collusion_check(const struct plan *p, const struct rangeset *among, struct hagg_err *err)
{
    struct collusion_cut cut = { 0 };
    struct plan_graph graph;
    int status;

    /* aligned sums have masks, so no set is excluded */
    if (!p->topology.full || p->topology.aligned)
        return 0;
    if (plan_collusion_check_relays(p, err) || plan_graph_new(&graph, p, false, among, err))
        return -1;
    status = collusion_private(graph.edges, graph.n_edges, graph.n_y, graph.n_x,
                               p->topology.collude_clients, COLLUSION_EXACT, &cut, err);
    if (status == 0)
        status = refuse(p, &graph, among != NULL, &cut, err);
    collusion_cut_free(&cut);
    plan_graph_free(&graph);
    return status < 0 ? -1 : 0;
}

int plan_collusion_accept(const struct plan *p, const struct rangeset *among, bool unsafe,
                          struct hagg_err *err)
{
    if (unsafe)
        return 0;
    return topology_check_protected(&p->topology, p->name, err) ||
                   plan_collusion_check(p, among, err)
               ? -1
               : 0;
}

int plan_collusion_check_condition(const struct plan *p, enum collusion_condition condition,
                                   struct hagg_err *err)
{
    struct plan_graph graph;
    int answer;

    if (plan_collusion_check(p, NULL, err))
        return -1;
    if (condition == COLLUSION_EXACT || !p->topology.full || p->topology.aligned)
        return 0;
    if (plan_graph_new(&graph, p, false, NULL, err))
        return -1;
    answer = collusion_private(graph.edges, graph.n_edges, graph.n_y, graph.n_x,
                               p->topology.collude_clients, condition, NULL, err);
    plan_graph_free(&graph);
    if (answer == 0)
        return err_set(err, HAGG_E_PRIVACY,
                       "%s: is private, but does not meet the condition 'paper'", p->name);
    return answer < 0 ? -1 : 0;
}
