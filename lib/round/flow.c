#include "flow.h"

#include <stdlib.h>

#include "plan_patterns.h"
#include "plan_record.h"

static bool is_in(const struct rangeset *set, uint32_t number)
{
    return set && rangeset_overlap(set, number, number) > 0;
}

bool flow_has_client(const struct flow *f, uint32_t client)
{
    return !f->nodes.clients || is_in(f->nodes.clients, client);
}

bool flow_station_gone(const struct flow *f, uint32_t station)
{
    return is_in(f->nodes.stations_gone, station);
}

bool flow_relay_gone(const struct flow *f, uint32_t relay)
{
    return is_in(f->nodes.relays_gone, relay);
}

/* That the plan has those that are gone, and can spare them. */
static int check_gone(const struct plan *p, const struct rangeset *gone, const char *tier,
                      uint32_t n_nodes, uint32_t n_spare, struct hagg_err *err)
{
    uint64_t n = gone ? rangeset_count(gone) : 0;

    if (n > 0 && gone->ranges[gone->n - 1].last > n_nodes)
        return err_set(err, HAGG_E_USAGE, "%s: has no %s %u", p->name, tier,
                       gone->ranges[gone->n - 1].last);
    if (n > n_spare)
        return err_set(err, HAGG_E_TOO_FEW,
                       "%s: %llu %s%s missing, and the drop line spares %u: begin a round when "
                       "more are there",
                       p->name, (unsigned long long)n, tier, n == 1 ? " is" : "s are", n_spare);
    return 0;
}

static int check_clients(const struct flow *f, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;
    uint64_t n = 0;

    for (size_t i = 0; i < t->n_clients; i++)
        n += flow_has_client(f, t->clients[i].number);
    if (f->nodes.clients && plan_record_check_clients(f->plan, f->nodes.clients, err))
        return -1;
    return plan_check_minimum(t->minimum, n, err);
}

static int add_upload(struct flow *f, uint32_t client, const uint32_t *stations, size_t n,
                      bool *marks, struct hagg_err *err)
{
    for (size_t i = 0; i < n; i++) {
        if (flow_station_gone(f, stations[i]))
            continue;
        if (links_add(&f->uploads, client, stations[i], err))
            return -1;
        marks[stations[i]] = true;
    }
    return 0;
}

static int add_client(struct flow *f, const struct topology_client *c, struct hagg_err *err)
{
    struct plan_client client;

    if (plan_client(f->plan, c->number, &client, err))
        return -1;
    f->takes_part[c->group] = true;
    if (add_upload(f, c->number, client.shares.lists[0]->numbers, client.shares.lists[0]->n,
                   f->has_shares, err))
        return -1;
    if (f->plan->topology.full)
        return add_upload(f, c->number, client.keys.lists[0]->numbers, client.keys.lists[0]->n,
                          f->has_shares, err);
    if (flow_station_gone(f, client.key_station))
        return err_set(err, HAGG_E_TOO_FEW,
                       "%s: client %u gives its key to station %u, which is missing: leave the "
                       "client out with --clients, or plan another station for the key",
                       f->plan->name, c->number, client.key_station);
    return add_upload(f, c->number, &client.key_station, 1, f->has_keys, err);
}

static int add_clients(struct flow *f, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;

    for (size_t i = 0; i < t->n_clients; i++)
        if (flow_has_client(f, t->clients[i].number) && add_client(f, &t->clients[i], err))
            return -1;
    links_sort(&f->uploads);
    return links_reverse(&f->uploads, &f->received, err);
}

/* The first k stations of the sharing that are there transform it, for all relays. */
static int add_transfers(struct flow *f, const struct plan_route *route, struct hagg_err *err)
{
    const struct topology_list *stations = route->lists[0], *relays = route->lists[1];
    struct hagg_scheme_shape shape;
    uint32_t k, z, n = 0;

    if (plan_shape(f->plan, 0, (uint32_t)stations->n, &k, &z, &shape, err))
        return -1;
    for (size_t i = 0; i < stations->n && n < k; i++) {
        if (flow_station_gone(f, stations->numbers[i]))
            continue;
        n++;
        for (size_t j = 0; j < relays->n; j++) {
            f->relay_sends[relays->numbers[j]] = true;
            if (!flow_relay_gone(f, relays->numbers[j]) &&
                links_add(&f->forwards, stations->numbers[i], relays->numbers[j], err))
                return -1;
        }
    }
    return 0;
}

static int add_passed_on(struct flow *f, const struct plan_route *route, struct hagg_err *err)
{
    for (size_t i = 0; i < route->lists[0]->n; i++)
        if (!flow_station_gone(f, route->lists[0]->numbers[i]) &&
            !flow_relay_gone(f, route->lists[1]->numbers[i]) &&
            links_add(&f->forwards, route->lists[0]->numbers[i], route->lists[1]->numbers[i], err))
            return -1;
    return 0;
}

/* What reaches the federator of a pattern, of which lacks[i] says that the sum of share i lacks
 * clients because one of their stations is gone: such a sum is of no use. */
static int count_complete(struct flow *f, const struct topology_list *relays, const bool *lacks,
                          struct hagg_err *err)
{
    uint32_t n = 0, spares = topology_spares(&f->plan->topology, 1);

    for (size_t i = 0; i < relays->n; i++) {
        uint32_t relay = relays->numbers[i];

        f->relay_sends[relay] = f->relay_sends[relay] || !lacks[i];
        n += !lacks[i] && !flow_relay_gone(f, relay);
    }
    if (n + spares >= relays->n)
        return 0;
    return err_set(err, HAGG_E_TOO_FEW,
                   "%s: without the nodes that are missing, %u shares of one sum reach the "
                   "federator and %zu are needed: begin a round when more nodes are there",
                   f->plan->name, n, relays->n - spares);
}

/* For every pattern: lacks, one after the other, and whether a client that takes part has it. */
struct completeness {
    size_t *first; /* of a pattern, in lacks */
    bool *lacks, *used;
};

static int completeness_new(struct completeness *c, const struct plan_patterns *patterns,
                            struct hagg_err *err)
{
    size_t n = 0;

    *c = (struct completeness){
        .first = calloc(patterns->n, sizeof *c->first),
        .used = calloc(patterns->n, sizeof *c->used),
    };
    for (size_t i = 0; i < patterns->n && c->first; i++) {
        c->first[i] = n;
        n += patterns->routes[i].lists[0]->n;
    }
    c->lacks = calloc(n, sizeof *c->lacks);
    return c->first && c->used && c->lacks ? 0 : err_errno(err, "no memory for patterns");
}

static int check_complete(struct flow *f, enum plan_what what, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;
    struct plan_patterns patterns;
    struct completeness c;
    struct plan_route route;
    int status;

    if (plan_patterns_new(&patterns, f->plan, what, 1, err))
        return -1;
    status = completeness_new(&c, &patterns, err);
    for (size_t g = 0; g < t->n_groups && status == 0; g++) {
        size_t pattern = patterns.of_group[g];

        if (!f->takes_part[g])
            continue;
        c.used[pattern] = true;
        plan_route(f->plan, &t->groups[g], what, &route);
        for (size_t i = 0; i < route.lists[0]->n; i++)
            if (flow_station_gone(f, route.lists[0]->numbers[i]))
                c.lacks[c.first[pattern] + i] = true;
    }
    for (size_t i = 0; i < patterns.n && status == 0; i++)
        if (c.used[i])
            status = count_complete(f, patterns.routes[i].lists[0], c.lacks + c.first[i], err);
    free(c.first);
    free(c.lacks);
    free(c.used);
    plan_patterns_free(&patterns);
    return status;
}

static int add_relays(struct flow *f, enum plan_what what, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;
    struct plan_route route;

    for (size_t g = 0; g < t->n_groups; g++) {
        if (!f->takes_part[g])
            continue;
        plan_route(f->plan, &t->groups[g], what, &route);
        if (t->transform ? add_transfers(f, &route, err) : add_passed_on(f, &route, err))
            return -1;
    }
    return t->transform ? 0 : check_complete(f, what, err);
}

/* The first relay that the station reaches and that is there; 0 without one. */
static uint32_t first_relay(const struct flow *f, uint32_t station)
{
    const struct topology *t = &f->plan->topology;
    const struct topology_list *via = t->n_relays > 0 ? &t->station_via[station - 1] : NULL;

    for (size_t i = 0; via && i < via->n; i++)
        if (!flow_relay_gone(f, via->numbers[i]))
            return via->numbers[i];
    return 0;
}

/* Under partial collusion keys go from the first station that has some to all others, because only
 * a plan says who is the last. */
static int find_chain(struct flow *f, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;

    f->chain = calloc(t->n_stations, sizeof *f->chain);
    if (!f->chain)
        return err_errno(err, "%s", f->plan->name);
    for (uint32_t u = 1; u <= t->n_stations; u++)
        if (f->has_keys[u] || (f->n_chain > 0 && !flow_station_gone(f, u)))
            f->chain[f->n_chain++] = u;
    if (f->n_chain == 0 || t->n_relays == 0)
        return 0;
    f->chain_relay = first_relay(f, f->chain[f->n_chain - 1]);
    if (f->chain_relay == 0)
        return err_set(err, HAGG_E_TOO_FEW,
                       "%s: no relay is there that station %u, the last of the chain of keys, "
                       "reaches: begin a round when one is",
                       f->plan->name, f->chain[f->n_chain - 1]);
    f->relay_sends[f->chain_relay] = true;
    return 0;
}

static int fill(struct flow *f, struct hagg_err *err)
{
    const struct topology *t = &f->plan->topology;

    if (check_gone(f->plan, f->nodes.stations_gone, "station", t->n_stations, t->drop_stations,
                   err) ||
        check_gone(f->plan, f->nodes.relays_gone, "relay", t->n_relays, t->drop_relays, err) ||
        check_clients(f, err) || add_clients(f, err))
        return -1;
    if (t->n_relays > 0 &&
        (add_relays(f, PLAN_SHARES, err) || (t->full && add_relays(f, PLAN_KEYS, err))))
        return -1;
    links_sort(&f->forwards);
    if (links_reverse(&f->forwards, &f->gathered, err))
        return -1;
    return t->full ? 0 : find_chain(f, err);
}

int flow_new(struct flow *f, const struct plan *plan, const struct flow_nodes *nodes,
             struct hagg_err *err)
{
    const struct topology *t = &plan->topology;

    *f = (struct flow){
        .plan = plan,
        .nodes = *nodes,
        .takes_part = calloc(t->n_groups, sizeof *f->takes_part),
        .has_shares = calloc(t->n_stations + UINT64_C(1), sizeof *f->has_shares),
        .has_keys = calloc(t->n_stations + UINT64_C(1), sizeof *f->has_keys),
        .relay_sends = calloc(t->n_relays + UINT64_C(1), sizeof *f->relay_sends),
    };
    if (!f->takes_part || !f->has_shares || !f->has_keys || !f->relay_sends)
        err_errno(err, "%s", plan->name);
    else if (fill(f, err) == 0)
        return 0;
    flow_free(f);
    return -1;
}

void flow_free(struct flow *f)
{
    links_free(&f->uploads);
    links_free(&f->received);
    links_free(&f->forwards);
    links_free(&f->gathered);
    free(f->takes_part);
    free(f->has_shares);
    free(f->has_keys);
    free(f->relay_sends);
    free(f->chain);
    *f = (struct flow){ 0 };
}
