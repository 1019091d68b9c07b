#include "plan_patterns.h"

#include <stdlib.h>
#include <string.h>

static int compare_lists(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b)
{
    if (n_a != n_b)
        return n_a < n_b ? -1 : 1;
    return memcmp(a, b, n_a * sizeof *a);
}

/* All routes of a plan have as many tiers. */
static int compare_routes(const void *x, const void *y)
{
    const struct plan_route *a = x, *b = y;
    int order = 0;

    for (size_t i = 0; i < a->n && order == 0; i++)
        order = compare_lists(a->lists[i]->numbers, a->lists[i]->n, b->lists[i]->numbers,
                              b->lists[i]->n);
    return order;
}

static void route_from(const struct plan *p, const struct topology_group *g, enum plan_what what,
                       size_t tier, struct plan_route *route)
{
    struct plan_route whole;

    plan_route(p, g, what, &whole);
    route->n = whole.n - tier;
    for (size_t i = 0; i < route->n; i++)
        route->lists[i] = whole.lists[tier + i];
}

int plan_patterns_new(struct plan_patterns *patterns, const struct plan *p, enum plan_what what,
                      size_t tier, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    *patterns = (struct plan_patterns){
        .routes = calloc(t->n_groups, sizeof *patterns->routes),
        .of_group = calloc(t->n_groups, sizeof *patterns->of_group),
    };
    if (!patterns->routes || !patterns->of_group) {
        plan_patterns_free(patterns);
        return err_errno(err, "%s", p->name);
    }
    for (size_t g = 0; g < t->n_groups; g++)
        route_from(p, &t->groups[g], what, tier, &patterns->routes[g]);
    qsort(patterns->routes, t->n_groups, sizeof *patterns->routes, compare_routes);
    for (size_t g = 0; g < t->n_groups; g++)
        if (patterns->n == 0 ||
            compare_routes(&patterns->routes[patterns->n - 1], &patterns->routes[g]) != 0)
            patterns->routes[patterns->n++] = patterns->routes[g];
    for (size_t g = 0; g < t->n_groups; g++) {
        struct plan_route route;
        const struct plan_route *found;

        route_from(p, &t->groups[g], what, tier, &route);
        found = bsearch(&route, patterns->routes, patterns->n, sizeof route, compare_routes);
        patterns->of_group[g] = (uint32_t)(found - patterns->routes);
    }
    return 0;
}

size_t plan_patterns_find(const struct plan_patterns *patterns, const struct header_tier *route,
                          size_t n_route)
{
    struct topology_list lists[PLAN_TIERS];
    struct plan_route wanted = { .n = n_route };
    const struct plan_route *found;

    if (patterns->n == 0 || n_route != patterns->routes[0].n)
        return patterns->n;
    for (size_t i = 0; i < n_route; i++) {
        lists[i] = (struct topology_list){ route[i].numbers, route[i].n_numbers };
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
