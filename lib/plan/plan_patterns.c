#include "plan/plan_patterns.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

static int compare_lists(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b)
{
    if (n_a != n_b)
        return n_a < n_b ? -1 : 1;
    return n_a > 0 ? memcmp(a, b, n_a * sizeof *a) : 0;
}

/* All routes of a plan have the same number of tiers. */
static int compare_routes(const void *x, const void *y)
{
    const struct plan_route *a = x, *b = y;
    int order = (a->cut > b->cut) - (a->cut < b->cut);

    for (size_t i = 0; i < a->n && order == 0; i++)
        order = compare_lists(a->lists[i]->numbers, a->lists[i]->n, b->lists[i]->numbers,
                              b->lists[i]->n);
    return order;
}

static int route_from(const struct plan *p, const struct topology_group *g, enum plan_what what,
                      size_t tier, struct plan_route *route, struct hagg_err *err)
{
    struct hagg_scheme_shape shape;
    uint32_t k, z;

    plan_route(p, g, what, route);
    if (tier == 0)
        return 0;
    if (p->topology.transform) {
        if (plan_shape(p, 0, (uint32_t)route->lists[0]->n, &k, &z, &shape, err))
            return -1;
        route->cut = shape.parts;
    } else {
        route->n--;
    }
    route->lists[0] = route->lists[1];
    return 0;
}

/* The route of a group, with a key that decides most comparisons without a look at the lists. */
struct group_route {
    struct plan_route route;
    uint64_t key;
    uint32_t group;
};

/* A smaller key comes first in the order of compare_routes. A list has fewer than 2^16 numbers. */
static uint64_t key_of(const struct topology_list *list)
{
    uint64_t key = (uint64_t)list->n << 48;

    if (list->n > 0)
        key |= (uint64_t)be32toh(list->numbers[0]) << 16;
    if (list->n > 1)
        key |= be32toh(list->numbers[1]) >> 16;
    return key;
}

static int compare_group_routes(const void *x, const void *y)
{
    const struct group_route *a = x, *b = y;

    if (a->route.cut == b->route.cut && a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return compare_routes(&a->route, &b->route);
}

/* Sorts the routes of the groups and keeps each once. */
static void keep_distinct(struct plan_patterns *patterns, struct group_route *sorted, size_t n)
{
    qsort(sorted, n, sizeof *sorted, compare_group_routes);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_group_routes(&sorted[i - 1], &sorted[i]) != 0)
            patterns->routes[patterns->n++] = sorted[i].route;
        patterns->of_group[sorted[i].group] = (uint32_t)(patterns->n - 1);
    }
}

int plan_patterns_new(struct plan_patterns *patterns, const struct plan *p, enum plan_what what,
                      size_t tier, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct group_route *sorted = calloc(t->n_groups, sizeof *sorted);
    int status = 0;

    *patterns = (struct plan_patterns){
        .tier = tier,
        .routes = calloc(t->n_groups, sizeof *patterns->routes),
        .of_group = calloc(t->n_groups, sizeof *patterns->of_group),
    };
    if (!sorted || !patterns->routes || !patterns->of_group)
        status = err_errno(err, "%s", p->name);
    for (size_t g = 0; g < t->n_groups && status == 0; g++) {
        status = route_from(p, &t->groups[g], what, tier, &sorted[g].route, err);
        if (status == 0)
            sorted[g].key = key_of(sorted[g].route.lists[0]);
        sorted[g].group = (uint32_t)g;
    }
    if (status == 0)
        keep_distinct(patterns, sorted, t->n_groups);
    else
        plan_patterns_free(patterns);
    free(sorted);
    return status;
}

size_t plan_patterns_find(const struct plan_patterns *patterns, const struct header *h)
{
    struct topology_list lists[PLAN_TIERS];
    struct plan_route wanted = { .n = h->n_route, .cut = h->n_layout > 0 ? h->layout[0] : 0 };
    const struct plan_route *found;

    if (patterns->n == 0 || h->n_route != patterns->routes[0].n || h->n_layout > 1 ||
        strcmp(h->route[0].name, plan_tier_name(patterns->tier)))
        return patterns->n;
    for (size_t i = 0; i < h->n_route; i++) {
        lists[i] = (struct topology_list){ h->route[i].numbers, h->route[i].n_numbers };
        wanted.lists[i] = &lists[i];
    }
    found = bsearch(&wanted, patterns->routes, patterns->n, sizeof wanted, compare_routes);
    return found ? (size_t)(found - patterns->routes) : patterns->n;
}

void plan_patterns_free(struct plan_patterns *patterns)
{
    free(patterns->routes);
    free(patterns->of_group);
    *patterns = (struct plan_patterns){ 0 };
}

static int check_what(const struct plan *p, enum plan_what what, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct plan_patterns patterns;
    int status = plan_patterns_new(&patterns, p, what, 0, err);

    if (status)
        return -1;
    for (size_t g = 0; g < t->n_groups && status == 0; g++) {
        const struct topology_list *relays = patterns.routes[patterns.of_group[g]].lists[1];
        struct plan_route route;

        plan_route(p, &t->groups[g], what, &route);
        if (compare_lists(route.lists[1]->numbers, route.lists[1]->n, relays->numbers, relays->n))
            status = err_set(err, HAGG_E_MALFORMED,
                             "%s:%zu: shares with the same stations are added up, so they must "
                             "have the same relays: choose them with hagg-plan",
                             p->name, t->groups[g].line);
    }
    plan_patterns_free(&patterns);
    return status;
}

int plan_patterns_check_relays(const struct plan *p, struct hagg_err *err)
{
    if (!p->topology.transform)
        return 0;
    if (check_what(p, PLAN_SHARES, err))
        return -1;
    return p->topology.full ? check_what(p, PLAN_KEYS, err) : 0;
}
