#include "topology/topology_couriers.h"

#include <stdlib.h>
#include <string.h>

#include "topology/topology_resolve.h"

/* How much a station is used, to choose stations for clients that reach too few. */
struct rank {
    uint32_t station;
    uint64_t n_short, n_all; /* clients that reach it: those that reach too few, and all */
};

uint64_t topology_couriers_fewest(const struct topology *t)
{
    return t->aligned ? (uint64_t)topology_colluders(t, 0) + topology_spares(t, 0) + 1
                      : topology_fewest(t, 0);
}

static bool is_short(const struct topology *t, const struct topology_group *g)
{
    return g->via.n < topology_couriers_fewest(t);
}

/* Returns true if these clients share through a courier. */
static bool needs_courier(const struct topology *t, const struct topology_group *g)
{
    return g->computational && is_short(t, g);
}

static int compare_ranks(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    if (x->n_short != y->n_short)
        return x->n_short > y->n_short ? -1 : 1;
    if (x->n_all != y->n_all)
        return x->n_all > y->n_all ? -1 : 1;
    return x->station < y->station ? -1 : 1;
}

/* The caller has checked that all stations exist. */
static void rank_stations(const struct topology *t, struct rank *ranks)
{
    for (uint32_t u = 0; u < t->n_stations; u++)
        ranks[u].station = u + 1;
    for (size_t i = 0; i < t->n_clients; i++) {
        const struct topology_group *g = &t->groups[t->clients[i].group];

        for (size_t j = 0; j < g->via.n; j++) {
            ranks[g->via.numbers[j] - 1].n_all++;
            ranks[g->via.numbers[j] - 1].n_short += needs_courier(t, g);
        }
    }
    qsort(ranks, t->n_stations, sizeof *ranks, compare_ranks);
}

/* Adds stations in the order of their ranks until the list has n: only those of among, unless it is
 * NULL. */
static void add_ranked(const struct topology *t, const struct rank *ranks,
                       const struct topology_list *among, size_t n, struct topology_list *list)
{
    for (uint32_t i = 0; i < t->n_stations && list->n < n; i++)
        if ((!among || topology_list_has(among, ranks[i].station)) &&
            !topology_list_has(list, ranks[i].station))
            list->numbers[list->n++] = ranks[i].station;
}

static int choose_reach(const struct topology *t, const struct rank *ranks, bool choose,
                        struct topology_group *g)
{
    size_t n = (size_t)topology_couriers_fewest(t), n_computed = n - topology_colluders(t, 0);
    const struct topology_list *given = choose ? NULL : &g->shares;

    free(g->reach.numbers);
    g->reach = (struct topology_list){ 0 };
    if (given && given->n > 0)
        n = given->n;
    g->reach.numbers = calloc(n + 1, sizeof *g->reach.numbers);
    if (!g->reach.numbers)
        return -1;
    if (given && given->n > 0) {
        memcpy(g->reach.numbers, given->numbers, n * sizeof *given->numbers);
        g->reach.n = n;
    } else {
        add_ranked(t, ranks, &g->via, n_computed, &g->reach);
        add_ranked(t, ranks, NULL, n, &g->reach);
    }
    topology_sort(&g->reach);
    return 0;
}

/* Couriers carry what clients send to stations. With relays that pass shares on, and for keys that
 * are shared, protocol keys asks more of the sets than this file knows. */
static int check_protocol(const struct topology *t, const struct topology_group *g,
                          const char *name, struct hagg_err *err)
{
    if (t->aligned || (!t->full && t->n_relays == 0))
        return 0;
    return err_set(err, HAGG_E_MALFORMED,
                   "%s:%zu: 'via': clients that reach fewer than %llu stations need protocol "
                   "aligned, or partial collusion without relays",
                   name, g->line, (unsigned long long)topology_couriers_fewest(t));
}

int topology_couriers_settle(struct topology *t, bool choose, const char *name,
                             struct hagg_err *err)
{
    struct rank *ranks = calloc(t->n_stations + (size_t)1, sizeof *ranks);
    int status = ranks ? 0 : err_errno(err, "%s", name);

    for (size_t i = 0; i < t->n_groups; i++) {
        struct topology_group *g = &t->groups[i];

        g->computational = g->computational || t->computational || (t->fallback && is_short(t, g));
    }
    if (status == 0)
        rank_stations(t, ranks);
    for (size_t i = 0; i < t->n_groups && status == 0; i++) {
        struct topology_group *g = &t->groups[i];

        if (!needs_courier(t, g))
            continue;
        status = check_protocol(t, g, name, err);
        if (status == 0 && choose_reach(t, ranks, choose, g))
            status = err_errno(err, "%s", name);
    }
    free(ranks);
    return status;
}

uint32_t topology_courier(const struct topology_group *g, uint32_t station,
                          const struct rangeset *missing)
{
    if (topology_list_has(&g->via, station))
        return 0;
    for (size_t i = 0; i < g->via.n && missing; i++)
        if (rangeset_overlap(missing, g->via.numbers[i], g->via.numbers[i]) == 0)
            return g->via.numbers[i];
    return g->via.numbers[0];
}

bool topology_carries(const struct topology_group *g, uint32_t courier, uint32_t station)
{
    return topology_list_has(topology_shares(g), station) && !topology_list_has(&g->via, station) &&
           topology_list_has(&g->via, courier);
}

bool topology_has_seeds(const struct topology *t)
{
    bool any = t->computational;

    for (size_t i = 0; i < t->n_groups && !any; i++)
        any = t->groups[i].computational;
    return any;
}
