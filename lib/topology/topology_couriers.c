#include "topology/topology_couriers.h"

#include <stdlib.h>
#include <string.h>

#include "topology/topology_resolve.h"

/* How much a station is used, to choose stations for clients that reach too few. */
struct rank {
    uint32_t station;
    uint64_t n_short, n_all; /* clients that reach it: those that reach too few, and all */
};

/* With relays, the planner may still choose to transform, so only stations count. */
uint64_t topology_couriers_fewest(const struct topology *t)
{
    const struct topology apart = topology_apart(t);

    return t->aligned ? (uint64_t)topology_colluders(t, 0) + topology_spares(t, 0) + 1
                      : topology_fewest(&apart, 0);
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

/* What choose_reach needs: the stations in the order of their ranks, the place of each in this
 * order, and for each the mark of the last list that contains it. */
struct chooser {
    const struct topology *t;
    struct rank *ranks;
    uint32_t *place;
    size_t *seen, mark;
    uint64_t n_numbers; /* in all lists */
};

static void add(struct chooser *c, struct topology_list *list, uint32_t station)
{
    if (c->seen[station] == c->mark)
        return;
    c->seen[station] = c->mark;
    list->numbers[list->n++] = station;
}

static int compare_places(const void *a, const void *b, void *place)
{
    const uint32_t *places = place;
    uint32_t x = places[*(const uint32_t *)a], y = places[*(const uint32_t *)b];

    return (x > y) - (x < y);
}

/* Stations that the clients reach, as many as get computed shares, and then any others. */
static int add_ranked(struct chooser *c, const struct topology_list *via, size_t n_computed,
                      size_t n, struct topology_list *list)
{
    uint32_t *order = calloc(via->n + 1, sizeof *order);

    if (!order)
        return -1;
    memcpy(order, via->numbers, via->n * sizeof *order);
    qsort_r(order, via->n, sizeof *order, compare_places, c->place);
    c->mark++;
    for (size_t i = 0; i < via->n && i < n_computed; i++)
        add(c, list, order[i]);
    for (uint32_t i = 0; i < c->t->n_stations && list->n < n; i++)
        add(c, list, c->ranks[i].station);
    free(order);
    return 0;
}

/* Keeps the stations that are given after shares, if they are enough: which stations can together
 * learn its vector matters to a client. */
static int choose_reach(struct chooser *c, struct topology_group *g)
{
    size_t fewest = (size_t)topology_couriers_fewest(c->t);
    bool given = g->shares.n >= fewest;
    size_t n = given ? g->shares.n : fewest;

    free(g->reach.numbers);
    g->reach = (struct topology_list){ .numbers = calloc(n + 1, sizeof *g->reach.numbers) };
    c->n_numbers += n;
    if (!g->reach.numbers)
        return -1;
    if (given) {
        memcpy(g->reach.numbers, g->shares.numbers, n * sizeof *g->shares.numbers);
        g->reach.n = n;
    } else if (add_ranked(c, &g->via, fewest - topology_colluders(c->t, 0), n, &g->reach))
        return -1;
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

/* Chooses stations for all groups that need a courier. */
static int choose_all(struct chooser *c, struct topology *t, const char *name, struct hagg_err *err)
{
    for (size_t i = 0; i < t->n_groups; i++) {
        struct topology_group *g = &t->groups[i];

        if (!needs_courier(t, g))
            continue;
        if (check_protocol(t, g, name, err))
            return -1;
        if (choose_reach(c, g))
            return err_errno(err, "%s", name);
        if (c->n_numbers > TOPOLOGY_MAX_NUMBERS)
            return err_set(err, HAGG_E_MALFORMED,
                           "%s:%zu: 'via': the lists of this topology are too long", name, g->line);
    }
    return 0;
}

int topology_couriers_settle(struct topology *t, const char *name, struct hagg_err *err)
{
    size_t n = t->n_stations + (size_t)1;
    struct chooser c = {
        .t = t,
        .ranks = calloc(n, sizeof *c.ranks),
        .place = calloc(n, sizeof *c.place),
        .seen = calloc(n, sizeof *c.seen),
    };
    int status = c.ranks && c.place && c.seen ? 0 : err_errno(err, "%s", name);

    for (size_t i = 0; i < t->n_groups; i++) {
        struct topology_group *g = &t->groups[i];

        g->computational = g->computational || t->computational || (t->fallback && is_short(t, g));
    }
    if (status == 0) {
        rank_stations(t, c.ranks);
        for (uint32_t i = 0; i < t->n_stations; i++)
            c.place[c.ranks[i].station] = i;
        status = choose_all(&c, t, name, err);
    }
    free(c.ranks);
    free(c.place);
    free(c.seen);
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

bool topology_reaches(const struct topology_group *g, uint32_t station)
{
    return bsearch(&station, g->via.numbers, g->via.n, sizeof station, compare_numbers) != NULL;
}

uint32_t topology_courier(const struct topology_group *g, uint32_t station,
                          const struct rangeset *missing)
{
    if (topology_reaches(g, station))
        return 0;
    for (size_t i = 0; i < g->via.n && missing; i++)
        if (rangeset_overlap(missing, g->via.numbers[i], g->via.numbers[i]) == 0)
            return g->via.numbers[i];
    return g->via.numbers[0];
}

bool topology_carries(const struct topology_group *g, uint32_t courier, uint32_t station)
{
    return topology_list_has(topology_shares(g), station) && !topology_reaches(g, station) &&
           topology_reaches(g, courier);
}

bool topology_has_seeds(const struct topology *t)
{
    bool any = t->computational;

    for (size_t i = 0; i < t->n_groups && !any; i++)
        any = t->groups[i].computational;
    return any;
}
