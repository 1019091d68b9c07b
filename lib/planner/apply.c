#include "planner/apply.h"

#include <stdlib.h>
#include <string.h>

#include "cost/count/prices.h"
#include "topology/topology_resolve.h"

struct applier {
    const struct instance *in;
    const struct topology *t;
    uint64_t *load;        /* of each station: number of shares it receives */
    uint32_t *key_station; /* of each client; partial collusion only */
};

static int copy_list(struct topology_list *to, const struct topology_list *from)
{
    to->numbers = malloc((from->n + 1) * sizeof *to->numbers);
    if (!to->numbers)
        return -1;
    memcpy(to->numbers, from->numbers, from->n * sizeof *from->numbers);
    to->n = from->n;
    return 0;
}

/* The `size` least loaded stations of the set, ascending. */
static int pick(struct applier *a, const uint64_t *set, uint32_t size, uint64_t weight,
                struct topology_list *list)
{
    uint32_t n_stations = a->in->n_stations, *taken = malloc((size + 1) * sizeof *taken);
    uint64_t least_allowed = 0;
    size_t n = 0;

    if (!taken)
        return -1;
    /* level by level; ties go to the lower number */
    while (n < size) {
        uint64_t least = UINT64_MAX;

        for (uint32_t s = 1; s <= n_stations; s++)
            if (set_has(set, s) && a->load[s] >= least_allowed && a->load[s] < least)
                least = a->load[s];
        for (uint32_t s = 1; s <= n_stations && n < size; s++)
            if (set_has(set, s) && a->load[s] == least)
                taken[n++] = s;
        least_allowed = least + 1;
    }
    for (size_t i = 0; i < n; i++)
        a->load[taken[i]] += weight;
    *list = (struct topology_list){ taken, n };
    topology_sort(list);
    return 0;
}

/* The stations of each pattern, in the order of the shares. */
static struct topology_list *list_patterns(struct applier *a, const struct side *side)
{
    struct topology_list *lists = calloc(side->n_patterns, sizeof *lists);
    uint64_t *weight = calloc(side->n_patterns, sizeof *weight);
    int status = lists && weight ? 0 : -1;

    for (uint32_t i = 0; i < a->in->n_clients && status == 0; i++)
        weight[side->of[i]]++;
    for (size_t p = 0; p < side->n_patterns && status == 0; p++) {
        const uint64_t *set = side->patterns + p * a->in->n_words;

        if (side->relayed)
            status = copy_list(&lists[p], &side->relayed[p].stations);
        else
            status =
                pick(a, set, a->in->size[set_count(set, a->in->n_words)], weight[p], &lists[p]);
    }
    free(weight);
    for (size_t p = 0; p < side->n_patterns && lists && status; p++)
        free(lists[p].numbers);
    if (status) {
        free(lists);
        return NULL;
    }
    return lists;
}

static int by_reach(const void *x, const void *y, void *instance)
{
    const struct instance *in = instance;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    uint32_t n_a = set_count(instance_reach(in, in->reach_class[a]), in->n_words);
    uint32_t n_b = set_count(instance_reach(in, in->reach_class[b]), in->n_words);

    return n_a != n_b ? (n_a < n_b ? -1 : 1) : (a > b) - (a < b);
}

/* Returns true if the client can send its key to the station: couriers pass on shares only. */
static bool may_have_key(const struct applier *a, uint32_t client, uint32_t station)
{
    const struct topology_group *g = &a->t->groups[a->t->clients[client].group];

    return set_has(instance_reach(a->in, a->in->reach_class[client]), station) &&
           (g->reach.n == 0 || topology_list_has(&g->via, station));
}

/* Uses as few stations as this greedy rule finds, because a station that has keys cannot be missing
 * before it has passed them on: the station that most of the remaining clients reach gets all their
 * keys, and so on. */
static int gather_keys(struct applier *a)
{
    const struct instance *in = a->in;
    uint32_t n_left = in->n_clients, *n_reaching = calloc(in->n_stations + 1, sizeof *n_reaching);

    if (!n_reaching)
        return -1;
    while (n_left > 0) {
        uint32_t best = 1;

        memset(n_reaching, 0, (in->n_stations + (size_t)1) * sizeof *n_reaching);
        for (uint32_t i = 0; i < in->n_clients; i++)
            for (uint32_t s = 1; s <= in->n_stations && a->key_station[i] == 0; s++)
                n_reaching[s] += may_have_key(a, i, s);
        for (uint32_t s = 2; s <= in->n_stations; s++)
            if (n_reaching[s] > n_reaching[best])
                best = s;
        for (uint32_t i = 0; i < in->n_clients; i++)
            if (a->key_station[i] == 0 && may_have_key(a, i, best)) {
                a->key_station[i] = best;
                n_left--;
            }
    }
    free(n_reaching);
    return 0;
}

/* Clients that reach few stations choose first; each uses the station with the fewest keys so
 * far. */
static int spread_keys(struct applier *a)
{
    const struct instance *in = a->in;
    uint32_t *order = malloc(in->n_clients * sizeof *order);
    uint32_t *n_keys = calloc(in->n_stations + 1, sizeof *n_keys);
    int status = order && n_keys ? 0 : -1;

    for (uint32_t i = 0; i < in->n_clients && status == 0; i++)
        order[i] = i;
    if (status == 0)
        qsort_r(order, in->n_clients, sizeof *order, by_reach, (void *)(uintptr_t)in);
    for (uint32_t i = 0; i < in->n_clients && status == 0; i++) {
        uint32_t best = 0;

        for (uint32_t s = 1; s <= in->n_stations; s++)
            if (may_have_key(a, order[i], s) && (best == 0 || n_keys[s] < n_keys[best]))
                best = s;
        a->key_station[order[i]] = best;
        n_keys[best]++;
    }
    free(order);
    free(n_keys);
    return status;
}

/* The lowest first station of the chain of keys for which keys and chain have the lowest price.
 * least is scratch: for each client, what its station pays for receiving. */
static uint32_t first_of_chain(const struct applier *a, uint64_t *least)
{
    const struct topology_prices *p = &a->t->prices;
    unsigned __int128 keys = 0, chain = 0, best_price = 0;
    uint32_t n_left = a->in->n_clients, b = a->in->n_stations, best = 1;

    for (uint32_t i = 0; i < a->in->n_clients; i++)
        least[i] = UINT64_MAX;
    for (uint32_t u = b; u > 0; u--) {
        struct node node = { NODE_STATION, u };
        uint64_t receive = prices_receive(p, node);

        if (u < b)
            chain += prices_hop(p, node, (struct node){ NODE_STATION, u + 1 });
        for (uint32_t i = 0; i < a->in->n_clients; i++) {
            if (receive >= least[i] || !may_have_key(a, i, u))
                continue;
            n_left -= least[i] == UINT64_MAX;
            keys -= least[i] == UINT64_MAX ? 0 : least[i];
            keys += least[i] = receive;
        }
        if (n_left == 0 && (best == 1 || keys + chain < best_price)) {
            best = u;
            best_price = keys + chain;
        }
    }
    return best;
}

/* Of the stations from the first on, each client uses one that pays least and, of these, the one
 * with the fewest keys so far. */
static int price_keys(struct applier *a)
{
    const struct instance *in = a->in;
    uint64_t *least = calloc(in->n_clients, sizeof *least);
    uint32_t *n_keys = calloc(in->n_stations + 1, sizeof *n_keys), first;
    int status = least && n_keys ? 0 : -1;

    first = status == 0 ? first_of_chain(a, least) : 0;
    for (uint32_t i = 0; i < in->n_clients && status == 0; i++) {
        uint32_t best = 0;
        uint64_t best_receive = 0;

        for (uint32_t s = first; s <= in->n_stations; s++) {
            uint64_t receive = prices_receive(&a->t->prices, (struct node){ NODE_STATION, s });

            if (may_have_key(a, i, s) && (best == 0 || receive < best_receive ||
                                          (receive == best_receive && n_keys[s] < n_keys[best]))) {
                best = s;
                best_receive = receive;
            }
        }
        a->key_station[i] = best;
        n_keys[best]++;
    }
    free(least);
    free(n_keys);
    return status;
}

/* A station that has keys cannot be missing. */
static int choose_key_stations(struct applier *a)
{
    return a->t->drop_stations > 0 ? gather_keys(a)
           : a->t->prices.unit > 0 ? price_keys(a)
                                   : spread_keys(a);
}

/* The stations and relays on the topology line of one client. */
static int make_group(const struct topology *t, uint32_t client, const struct side *side,
                      const struct topology_list *lists, struct topology_list *stations,
                      struct topology_list *relays)
{
    uint32_t pattern = side->of[client];

    if (copy_list(stations, &lists[pattern]))
        return -1;
    return t->n_relays > 0 ? copy_list(relays, &side->relayed[pattern].relays) : 0;
}

/* One group per client. */
static int make_groups(struct applier *a, const struct topology *t, const struct side *shares,
                       const struct side *keys, struct topology_group *groups)
{
    struct topology_list *lists = list_patterns(a, shares);
    struct topology_list *key_lists = keys ? list_patterns(a, keys) : NULL;
    int status = lists && (!keys || key_lists) ? 0 : -1;

    if (status == 0 && !keys)
        status = choose_key_stations(a);
    for (uint32_t i = 0; i < a->in->n_clients && status == 0; i++) {
        struct topology_list key = { &a->key_station[i], 1 };
        struct topology_group *g = &groups[i];

        status = copy_list(&g->via, &t->groups[t->clients[i].group].via);
        g->computational = t->groups[t->clients[i].group].computational;
        if (status == 0)
            status = make_group(t, i, shares, lists, &g->shares, &g->relays);
        if (status == 0)
            status = keys ? make_group(t, i, keys, key_lists, &g->keys, &g->key_relays)
                          : copy_list(&g->keys, &key);
    }
    for (size_t p = 0; lists && p < shares->n_patterns; p++)
        free(lists[p].numbers);
    for (size_t p = 0; key_lists && p < keys->n_patterns; p++)
        free(key_lists[p].numbers);
    free(lists);
    free(key_lists);
    return status;
}

/* Prints and parses the topology, so that *to is exactly what a reader of the written plan gets. */
static int write_and_read(struct topology *to, const struct plan *p, struct topology_group *groups,
                          struct hagg_err *err)
{
    struct topology t = p->topology;
    struct text text = { 0 };
    int status;

    t.groups = groups;
    t.n_groups = t.n_clients;
    t.clients = calloc(t.n_clients, sizeof *t.clients);
    for (size_t i = 0; i < t.n_clients && t.clients; i++)
        t.clients[i] = (struct topology_client){ p->topology.clients[i].number, (uint32_t)i };
    if (t.clients)
        topology_print(&t, &text);
    status = t.clients && text_ok(&text) ? topology_parse(to, p->name, text.bytes, text.len, err)
                                         : err_errno(err, "no memory to write the plan");
    /* messages refer to line numbers of the user's file */
    to->collude_line = t.collude_line;
    to->drop_line = t.drop_line;
    free(t.clients);
    text_free(&text);
    return status;
}

int apply_sides(struct topology *to, const struct plan *p, const struct instance *in,
                const struct side *shares, const struct side *keys, struct hagg_err *err)
{
    struct topology_group *groups = calloc(in->n_clients, sizeof *groups);
    struct applier a = {
        .in = in,
        .t = &p->topology,
        .load = calloc(in->n_stations + 1, sizeof *a.load),
        .key_station = calloc(in->n_clients, sizeof *a.key_station),
    };
    int status = groups && a.load && a.key_station ? 0 : -1;

    if (status == 0)
        status = make_groups(&a, &p->topology, shares, keys, groups);
    if (status)
        err_errno(err, "no memory to write the plan");
    else
        status = write_and_read(to, p, groups, err);
    topology_free_groups(groups, in->n_clients);
    free(a.load);
    free(a.key_station);
    return status;
}
