#include "planner/instance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cost/count/prices.h"

/* Finds the shape of a sharing for m stations, and fails if the scheme or the field has none. */
static int find_shape(const struct plan *p, uint32_t m, struct hagg_scheme_shape *shape,
                      struct scheme_prefixes *prefixes, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };
    uint32_t k, z;

    if (plan_prefixes(p, 0, m, &k, &z, shape, prefixes, err))
        return -1;
    if (scheme_check_size(p->scheme, m, k, z, shape, &cause))
        return err_set(err, HAGG_E_MALFORMED, "%s: %s", p->name, cause.text);
    if (shape->uses_points && m >= p->field->info.order)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: field '%s' does not have %u distinct points other than zero: use a "
                       "larger one",
                       p->name, p->field->spec, m);
    return 0;
}

/* Some schemes, such as additive sharing, send less in total with fewer holders, so the cheapest
 * sharing need not use all m stations. */
static void fill_rates(struct instance *in, const struct plan *p)
{
    in->rate[0] = in->fee[0] = INFINITY;
    for (uint32_t m = 1; m <= in->n_stations; m++) {
        struct scheme_prefixes prefixes;
        struct hagg_scheme_shape shape;
        struct hagg_err why;

        in->rate[m] = in->rate[m - 1];
        in->fee[m] = in->fee[m - 1];
        in->size[m] = in->size[m - 1];
        if (find_shape(p, m, &shape, &prefixes, &why))
            continue;
        double rate = (double)m * shape.symbols / shape.parts;
        double fee = (double)m * prefixes.all[0].symbols / shape.parts;
        if (rate < in->rate[m] && fee <= in->fee[m]) {
            in->rate[m] = rate;
            in->fee[m] = fee;
            in->size[m] = m;
        }
    }
}

static int by_reach(const void *a, const void *b, void *arg)
{
    const struct topology *t = arg;
    const struct topology_list *x = topology_reach(&t->groups[*(const uint32_t *)a]);
    const struct topology_list *y = topology_reach(&t->groups[*(const uint32_t *)b]);

    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return memcmp(x->numbers, y->numbers, x->n * sizeof *x->numbers);
}

/* Beyond this ratio of prices, a search in floating point would lose digits. */
#define MOST_RATIO 1e4

/* The mean of what stations pay. */
static double mean_pay(const struct topology *t,
                       uint64_t (*pays)(const struct topology_prices *, struct node))
{
    double sum = 0;

    for (uint32_t u = 1; u <= t->n_stations; u++)
        sum += (double)pays(&t->prices, (struct node){ NODE_STATION, u });
    return sum / t->n_stations;
}

/* The searches know links only. If stations pay, the mean is a hint; trim.c then improves the
 * result. */
static void set_prices(struct instance *in, const struct topology *t)
{
    const struct topology_prices *p = &t->prices;
    enum topology_link up = t->n_relays > 0 ? LINK_STATION_RELAY : LINK_STATION_FEDERATOR;
    double user = (double)prices_of_link(p, LINK_CLIENT_STATION) + mean_pay(t, prices_receive),
           fee = (double)prices_of_link(p, up) + mean_pay(t, prices_send);
    double least = fmax(fmax(user, fee) / MOST_RATIO, 1 / MOST_RATIO);

    in->exact = user >= least && fee >= least && !p->nodes[TOPOLOGY_PRICED_STATIONS];
    fee = fmax(fee, least);
    in->user = fmax(user, least) / fee;
    in->relay_fee = (double)prices_of_link(p, LINK_RELAY_FEDERATOR) / fee;
    in->price = fee / prices_unit(p);
    for (uint32_t m = 1; m <= in->n_stations; m++)
        in->rate[m] *= in->user;
}

/* Several groups of the topology can have the same reach and differ only in their chosen sets.
 * class_of_group has an entry for each group. */
static int find_reach_classes(struct instance *in, const struct topology *t,
                              uint32_t *class_of_group)
{
    uint32_t *order = malloc(t->n_groups * sizeof *order);

    if (!order)
        return -1;
    for (uint32_t g = 0; g < t->n_groups; g++)
        order[g] = g;
    qsort_r(order, t->n_groups, sizeof *order, by_reach, (void *)(uintptr_t)t);
    for (size_t i = 0; i < t->n_groups; i++) {
        const struct topology_list *via = topology_reach(&t->groups[order[i]]);

        if (i == 0 || by_reach(&order[i - 1], &order[i], (void *)(uintptr_t)t) != 0) {
            uint64_t *set = in->reach + in->n_reach_classes++ * in->n_words;
            for (size_t j = 0; j < via->n; j++)
                set_put(set, via->numbers[j]);
        }
        class_of_group[order[i]] = in->n_reach_classes - 1;
    }
    free(order);
    return 0;
}

/* If relays pass shares on unchanged, colluding and missing relays count like stations. */
static int fail_reach(const struct plan *p, uint32_t client, uint32_t reach, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint64_t need = topology_fewest(t, 0);
    struct hagg_scheme_shape shape;
    struct scheme_prefixes prefixes;

    if (reach >= need && find_shape(p, reach, &shape, &prefixes, err))
        return -1;
    if (t->n_relays == 0 || t->transform || reach >= need)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: client %u reaches %u stations, too few for a sharing that satisfies "
                       "the collude and drop lines",
                       p->name, client, reach);
    return err_set(err, HAGG_E_MALFORMED,
                   "%s: client %u reaches %u stations, but shares that relays pass on need at "
                   "least %llu: stations=%u and relays=%u may collude and %u may be missing",
                   p->name, client, reach, (unsigned long long)need, t->collude_stations,
                   t->collude_relays, topology_spares(t, 0));
}

static int check_reach(const struct instance *in, const struct plan *p, struct hagg_err *err)
{
    for (uint32_t i = 0; i < in->n_clients; i++) {
        uint32_t reach = set_count(instance_reach(in, in->reach_class[i]), in->n_words);

        if (in->size[reach] == 0)
            return fail_reach(p, p->topology.clients[i].number, reach, err);
    }
    return 0;
}

int instance_new(struct instance *in, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t *class_of_group = malloc(t->n_groups * sizeof *class_of_group);

    *in = (struct instance){
        .n_stations = t->n_stations,
        .n_words = (t->n_stations + 63) / 64,
        .n_clients = (uint32_t)t->n_clients,
        .colluders = t->collude_clients + t->drop_clients,
        .merges = t->n_relays > 0,
    };
    in->reach = calloc(t->n_groups * in->n_words, sizeof *in->reach);
    in->weight = calloc(t->n_groups, sizeof *in->weight);
    in->reach_class = malloc(t->n_clients * sizeof *in->reach_class);
    in->rate = malloc((t->n_stations + 1) * sizeof *in->rate);
    in->fee = malloc((t->n_stations + 1) * sizeof *in->fee);
    in->size = calloc(t->n_stations + 1, sizeof *in->size);
    if (!class_of_group || !in->reach || !in->weight || !in->reach_class || !in->rate || !in->fee ||
        !in->size || find_reach_classes(in, t, class_of_group)) {
        err_errno(err, "%s", p->name);
        free(class_of_group);
        instance_free(in);
        return -1;
    }
    for (uint32_t i = 0; i < in->n_clients; i++) {
        in->reach_class[i] = class_of_group[t->clients[i].group];
        in->weight[in->reach_class[i]]++;
    }
    free(class_of_group);
    fill_rates(in, p);
    set_prices(in, t);
    if (check_reach(in, p, err)) {
        instance_free(in);
        return -1;
    }
    return 0;
}

void instance_free(struct instance *in)
{
    free(in->reach);
    free(in->weight);
    free(in->reach_class);
    free(in->rate);
    free(in->fee);
    free(in->size);
    *in = (struct instance){ 0 };
}
