#include "plan_cost.h"

#include <stdlib.h>

#include "fraction.h"
#include "plan_patterns.h"

const char *plan_cost_link_name(enum plan_link link)
{
    static const char *const names[N_LINKS] = {
        [LINK_CLIENT_STATION] = "clients to stations",
        [LINK_STATION_STATION] = "station to station",
        [LINK_STATION_RELAY] = "stations to relays",
        [LINK_RELAY_RELAY] = "relay to relay",
        [LINK_STATION_FEDERATOR] = "stations to federator",
        [LINK_RELAY_FEDERATOR] = "relays to federator",
    };

    return names[link];
}

/* Over which link a tier sends on. */
static enum plan_link link_from(const struct plan *p, size_t tier)
{
    return tier > 0            ? LINK_RELAY_FEDERATOR
           : plan_tiers(p) > 1 ? LINK_STATION_RELAY
                               : LINK_STATION_FEDERATOR;
}

/* Nobody's sharing has more holders. */
static uint32_t greatest_tier(const struct plan *p)
{
    const struct topology *t = &p->topology;

    return t->n_stations > t->n_relays ? t->n_stations : t->n_relays;
}

/* What a sharing of a tier costs depends on the number of its holders alone. */
static int add_rates(const struct plan *p, size_t tier, const uint64_t *n_of_size, mpq_t sum,
                     struct hagg_err *err)
{
    for (uint32_t m = 1; m <= greatest_tier(p); m++) {
        struct hagg_scheme_shape shape;
        uint32_t k, z;

        if (n_of_size[m] == 0)
            continue;
        if (plan_shape(p, tier, m, &k, &z, &shape, err))
            return -1;
        fraction_add(sum, n_of_size[m], (uint64_t)m * shape.symbols, shape.parts);
    }
    return 0;
}

/* Every station that takes part shares its share with the relays of the pattern. */
static int add_transfers(const struct plan *p, const struct plan_patterns *patterns, mpq_t sum,
                         struct hagg_err *err)
{
    for (size_t i = 0; i < patterns->n; i++) {
        const struct plan_route *route = &patterns->routes[i];
        uint32_t n = (uint32_t)route->lists[1]->n, k, z, new_k;
        struct hagg_scheme_shape old, new;

        if (plan_shape(p, 0, (uint32_t)route->lists[0]->n, &k, &z, &old, err) ||
            plan_shape(p, 1, n, &new_k, &z, &new, err))
            return -1;
        fraction_add(sum, (uint64_t)k * n, (uint64_t)old.symbols * new.symbols,
                     (uint64_t)old.parts * new.parts);
    }
    return 0;
}

/* The sharings of all clients and, at each tier, a sum for every pattern. */
static int add_sharings(struct plan_cost *cost, const struct plan *p, enum plan_what what,
                        struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t n_tiers = what == PLAN_REACHES ? 1 : plan_tiers(p);
    size_t n_sizes = greatest_tier(p) + (size_t)1;
    uint64_t *of_clients = calloc(2 * n_sizes, sizeof *of_clients);
    uint64_t *of_patterns = of_clients + n_sizes;
    int status = of_clients ? 0 : err_errno(err, "%s", p->name);

    for (size_t tier = 0; tier < n_tiers && status == 0; tier++) {
        struct plan_patterns patterns;

        status = plan_patterns_new(&patterns, p, what, tier, err);
        if (status)
            break;
        for (size_t i = 0; i < t->n_clients && tier == 0; i++)
            of_clients[patterns.routes[patterns.of_group[t->clients[i].group]].lists[0]->n]++;
        for (size_t m = 0; m < n_sizes; m++)
            of_patterns[m] = 0;
        for (size_t i = 0; i < patterns.n; i++)
            of_patterns[patterns.routes[i].lists[0]->n]++;
        if (tier == n_tiers - 1)
            cost->n_patterns += patterns.n;
        status = t->transform && tier == 0
                     ? add_transfers(p, &patterns, cost->links[link_from(p, tier)], err)
                     : add_rates(p, tier, of_patterns, cost->links[link_from(p, tier)], err);
        plan_patterns_free(&patterns);
    }
    if (status == 0)
        status = add_rates(p, 0, of_clients, cost->links[LINK_CLIENT_STATION], err);
    free(of_clients);
    return status;
}

/* Partial collusion: keys from every client, along the chain, and their total. */
static void add_keys(struct plan_cost *cost, const struct plan *p)
{
    const struct topology *t = &p->topology;

    fraction_add(cost->links[LINK_CLIENT_STATION], t->n_clients, 1, 1);
    fraction_add(cost->links[LINK_STATION_STATION], t->n_stations - 1, 1, 1);
    for (size_t tier = 0; tier < plan_tiers(p); tier++)
        fraction_add(cost->links[link_from(p, tier)], 1, 1, 1);
}

static void keep_greater(mpq_t greatest, uint64_t n, uint64_t z)
{
    mpq_t rate;

    mpq_init(rate);
    fraction_add(rate, 1, n, n - z);
    if (mpq_cmp(rate, greatest) > 0)
        mpq_set(greatest, rate);
    mpq_clear(rate);
}

/* How many relays clients like these reach. marks has a place for each relay. */
static uint32_t count_relays(const struct topology *t, const struct topology_group *g,
                             size_t *marks, size_t mark)
{
    uint32_t n = 0;

    for (size_t i = 0; i < g->via.n; i++) {
        const struct topology_list *via = &t->station_via[g->via.numbers[i] - 1];

        for (size_t j = 0; j < via->n; j++)
            if (marks[via->numbers[j]] != mark) {
                marks[via->numbers[j]] = mark;
                n++;
            }
    }
    return n;
}

/* What every protocol must send: each client enough to hide its vector from stations that collude,
 * and each tier beyond as much as the client with the fewest holders there needs. */
static int add_bound(struct plan_cost *cost, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint64_t *n_of_reach = calloc(t->n_stations + 1, sizeof *n_of_reach);
    size_t *marks = calloc(t->n_relays + 1, sizeof *marks);
    mpq_t of_stations, of_relays;

    mpq_inits(of_stations, of_relays, NULL);
    if (n_of_reach && marks) {
        for (size_t i = 0; i < t->n_clients; i++)
            n_of_reach[t->groups[t->clients[i].group].via.n]++;
        for (uint32_t m = t->collude_stations + 1; m <= t->n_stations; m++)
            if (n_of_reach[m] > 0) {
                fraction_add(cost->bound, n_of_reach[m], m, m - t->collude_stations);
                keep_greater(of_stations, m, t->collude_stations);
            }
        for (size_t g = 0; g < t->n_groups && t->n_relays > 0; g++) {
            uint32_t n = count_relays(t, &t->groups[g], marks, g + 1);

            if (n > t->collude_relays)
                keep_greater(of_relays, n, t->collude_relays);
        }
        mpq_add(cost->bound, cost->bound, of_relays);
        mpq_add(cost->bound, cost->bound,
                mpq_cmp(of_relays, of_stations) > 0 ? of_relays : of_stations);
    }
    mpq_clears(of_stations, of_relays, NULL);
    int status = n_of_reach && marks ? 0 : err_errno(err, "%s", p->name);
    free(n_of_reach);
    free(marks);
    return status;
}

int plan_cost_new(struct plan_cost *cost, const struct plan *p, bool whole, struct hagg_err *err)
{
    int status;

    cost->n_patterns = 0;
    mpq_inits(cost->total, cost->bound, NULL);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_init(cost->links[i]);
    status = add_sharings(cost, p, whole ? PLAN_REACHES : PLAN_SHARES, err);
    if (status == 0 && p->topology.full)
        status = add_sharings(cost, p, whole ? PLAN_REACHES : PLAN_KEYS, err);
    if (status == 0)
        status = add_bound(cost, p, err);
    if (!p->topology.full)
        add_keys(cost, p);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_add(cost->total, cost->total, cost->links[i]);
    if (status)
        plan_cost_free(cost);
    return status;
}

void plan_cost_free(struct plan_cost *cost)
{
    mpq_clears(cost->total, cost->bound, NULL);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_clear(cost->links[i]);
}
