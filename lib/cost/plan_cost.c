#include "plan_cost.h"

#include <stdlib.h>

#include "fraction.h"
#include "plan_patterns.h"

/* What a sharing costs depends on the number of its holders alone. */
static int add_rates(const struct plan *p, const uint64_t *n_of_size, mpq_t sum,
                     struct hagg_err *err)
{
    for (uint32_t m = 1; m <= p->topology.n_stations; m++) {
        struct hagg_scheme_shape shape;
        uint32_t k, z;

        if (n_of_size[m] == 0)
            continue;
        if (plan_shape(p, m, &k, &z, &shape, err))
            return -1;
        fraction_add(sum, n_of_size[m], (uint64_t)m * shape.symbols, shape.parts);
    }
    return 0;
}

static int add_sharings(struct plan_cost *cost, const struct plan *p, enum plan_what what,
                        struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint64_t *of_clients = calloc(2 * (t->n_stations + 1), sizeof *of_clients);
    uint64_t *of_patterns = of_clients + t->n_stations + 1;
    struct plan_patterns patterns;
    int status = -1;

    if (!of_clients)
        return err_errno(err, "%s", p->name);
    if (plan_patterns_new(&patterns, p, what, err) == 0) {
        for (size_t i = 0; i < t->n_clients; i++)
            of_clients[patterns.lists[patterns.of_group[t->clients[i].group]]->n]++;
        for (size_t i = 0; i < patterns.n; i++)
            of_patterns[patterns.lists[i]->n]++;
        cost->n_patterns += patterns.n;
        plan_patterns_free(&patterns);
        status = add_rates(p, of_clients, cost->clients_to_stations, err);
        if (status == 0)
            status = add_rates(p, of_patterns, cost->stations_to_federator, err);
    }
    free(of_clients);
    return status;
}

/* What every protocol must send to hide vectors from stations: each client, and once more the one
 * with the fewest stations, for the federator gets as much. */
static int add_bound(struct plan_cost *cost, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint64_t *n_of_reach = calloc(t->n_stations + 1, sizeof *n_of_reach);
    uint32_t z = t->collude_stations;
    bool is_fewest = true;

    if (!n_of_reach)
        return err_errno(err, "%s", p->name);
    for (size_t i = 0; i < t->n_clients; i++)
        n_of_reach[t->groups[t->clients[i].group].via.n]++;
    for (uint32_t m = z + 1; m <= t->n_stations; m++)
        if (n_of_reach[m] > 0) {
            fraction_add(cost->bound, n_of_reach[m] + is_fewest, m, m - z);
            is_fewest = false;
        }
    free(n_of_reach);
    return 0;
}

int plan_cost_new(struct plan_cost *cost, const struct plan *p, bool whole, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    int status;

    cost->n_patterns = 0;
    mpq_inits(cost->clients_to_stations, cost->stations_to_stations, cost->stations_to_federator,
              cost->total, cost->bound, NULL);
    status = add_sharings(cost, p, whole ? PLAN_REACHES : PLAN_SHARES, err);
    if (status == 0 && t->full)
        status = add_sharings(cost, p, whole ? PLAN_REACHES : PLAN_KEYS, err);
    if (status == 0)
        status = add_bound(cost, p, err);
    if (!t->full) {
        /* keys: from every client, along the chain, and their total */
        fraction_add(cost->clients_to_stations, t->n_clients, 1, 1);
        fraction_add(cost->stations_to_stations, t->n_stations - 1, 1, 1);
        fraction_add(cost->stations_to_federator, 1, 1, 1);
    }
    mpq_add(cost->total, cost->clients_to_stations, cost->stations_to_stations);
    mpq_add(cost->total, cost->total, cost->stations_to_federator);
    if (status)
        plan_cost_free(cost);
    return status;
}

void plan_cost_free(struct plan_cost *cost)
{
    mpq_clears(cost->clients_to_stations, cost->stations_to_stations, cost->stations_to_federator,
               cost->total, cost->bound, NULL);
}
