#include "cost/count/price_bound.h"

#include <stdlib.h>
#include <string.h>

#include "cost/count/fraction.h"
#include "cost/count/prices.h"

/* What a symbol costs at least. */
struct least_prices {
    const struct topology *t;
    uint64_t *into;    /* by station: from a client */
    uint64_t *on;      /* by station: to any node */
    uint64_t *up;      /* by station: to a relay, or to the federator without relays */
    uint64_t *relayed; /* by relay: from any station */
    uint64_t *relay_on, *relay_up;
    uint64_t *list;  /* scratch, for the nodes of a tier */
    uint32_t *marks; /* by relay: the last group that reaches it */
};

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* For each of n nodes: the lowest price of sending to another of them; UINT64_MAX if there is none.
 */
static void price_among(uint64_t *price, const struct topology_prices *p, enum node_tier tier,
                        uint32_t n)
{
    uint64_t link = prices_of_link(p, prices_link(tier, tier)), first = UINT64_MAX,
             second = UINT64_MAX;
    uint32_t cheapest = 0;

    for (uint32_t i = 1; i <= n; i++) {
        uint64_t receive = prices_receive(p, (struct node){ tier, i });

        if (receive < first) {
            second = first;
            first = receive;
            cheapest = i;
        } else
            second = least(second, receive);
    }
    for (uint32_t i = 1; i <= n; i++) {
        uint64_t receive = i == cheapest ? second : first;

        price[i] = receive == UINT64_MAX
                       ? UINT64_MAX
                       : link + prices_send(p, (struct node){ tier, i }) + receive;
    }
}

static void price_stations(struct least_prices *l)
{
    const struct topology *t = l->t;
    const struct topology_prices *p = &t->prices;

    price_among(l->on, p, NODE_STATION, t->n_stations);
    for (uint32_t u = 1; u <= t->n_stations; u++) {
        struct node station = { NODE_STATION, u };

        l->into[u] = prices_hop(p, (struct node){ NODE_CLIENT, 0 }, station);
        l->up[u] = t->n_relays > 0 ? UINT64_MAX : prices_hop(p, station, NODE_THE_FEDERATOR);
        for (size_t i = 0; t->n_relays > 0 && i < t->station_via[u - 1].n; i++)
            l->up[u] =
                least(l->up[u],
                      prices_hop(p, station,
                                 (struct node){ NODE_RELAY, t->station_via[u - 1].numbers[i] }));
        l->on[u] = least(l->on[u], l->up[u]);
    }
}

static void price_relays(struct least_prices *l)
{
    const struct topology *t = l->t;
    const struct topology_prices *p = &t->prices;
    uint64_t send = UINT64_MAX;

    for (uint32_t u = 1; u <= t->n_stations; u++)
        send = least(send, prices_send(p, (struct node){ NODE_STATION, u }));
    price_among(l->relay_on, p, NODE_RELAY, t->n_relays);
    for (uint32_t m = 1; m <= t->n_relays; m++) {
        struct node relay = { NODE_RELAY, m };

        l->relayed[m] = prices_of_link(p, LINK_STATION_RELAY) + send + prices_receive(p, relay);
        l->relay_up[m] = prices_hop(p, relay, NODE_THE_FEDERATOR);
        l->relay_on[m] = least(l->relay_on[m], l->relay_up[m]);
    }
}

static void least_prices_free(struct least_prices *l)
{
    uint64_t *const all[] = {
        l->into, l->on, l->up, l->relayed, l->relay_on, l->relay_up, l->list
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(l->marks);
}

static int least_prices_new(struct least_prices *l, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    size_t n = t->n_stations + (size_t)1, n_relays = t->n_relays + (size_t)1;

    *l = (struct least_prices){
        .t = t,
        .into = calloc(n, sizeof *l->into),
        .on = calloc(n, sizeof *l->on),
        .up = calloc(n, sizeof *l->up),
        .relayed = calloc(n_relays, sizeof *l->relayed),
        .relay_on = calloc(n_relays, sizeof *l->relay_on),
        .relay_up = calloc(n_relays, sizeof *l->relay_up),
        .list = calloc(n > n_relays ? n : n_relays, sizeof *l->list),
        .marks = calloc(n_relays, sizeof *l->marks),
    };
    if (!l->into || !l->on || !l->up || !l->relayed || !l->relay_on || !l->relay_up || !l->list ||
        !l->marks) {
        least_prices_free(l);
        return err_errno(err, "%s", p->name);
    }
    price_stations(l);
    price_relays(l);
    return 0;
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The least price of amounts, one for each of n nodes, whose sum is at least 1 whichever z of them
 * are left out: equal amounts for some of the cheapest nodes. Sorts the prices. False if there is
 * none, because n is not above z. */
static bool spread(uint64_t *num, uint64_t *den, uint64_t *prices, size_t n, uint32_t z)
{
    uint64_t sum = 0;

    *num = *den = 0;
    qsort(prices, n, sizeof *prices, ascending);
    for (size_t k = 1; k <= n; k++) {
        sum += prices[k - 1]; /* at most 65535 prices below 2^32 */
        if (k <= z)
            continue;
        if (*den == 0 || (unsigned __int128)sum * *den < (unsigned __int128)*num * (k - z)) {
            *num = sum;
            *den = k - z;
        }
    }
    return *den > 0;
}

/* sum += times * price */
static void add_product(mpq_t sum, const mpq_t times, uint64_t price)
{
    mpq_t value;

    mpq_init(value);
    fraction_add(value, price, 1, 1);
    mpq_mul(value, value, times);
    mpq_add(sum, sum, value);
    mpq_clear(value);
}

/* Replaces *most if the value is larger. */
static void raise_to(mpq_t most, const mpq_t value)
{
    if (mpq_cmp(value, most) > 0)
        mpq_set(most, value);
}

static void raise_to_product(mpq_t most, const mpq_t times, uint64_t price)
{
    mpq_t value;

    mpq_init(value);
    add_product(value, times, price);
    raise_to(most, value);
    mpq_clear(value);
}

/* Raises *most to the least price of amounts that are spread over n nodes at these prices. */
static void raise_to_spread(mpq_t most, uint64_t *prices, size_t n, uint32_t z)
{
    uint64_t num, den;
    mpq_t value;

    if (!spread(&num, &den, prices, n, z))
        return;
    mpq_init(value);
    fraction_add(value, 1, num, den);
    raise_to(most, value);
    mpq_clear(value);
}

/* The parts of a bound. */
struct parts {
    mpq_t clients;       /* what all clients send */
    mpq_t stations;      /* what stations send, to any node */
    mpq_t relayed;       /* what relays get from stations; without relays, the federator */
    mpq_t relays;        /* what relays send, to any node */
    mpq_t n_relayed;     /* the same as `relayed`, in multiples of the vector */
    uint64_t *n_clients; /* scratch, by group */
};

static uint64_t cheapest(const uint64_t *prices, const uint64_t *less, uint32_t n)
{
    uint64_t best = UINT64_MAX;

    for (uint32_t i = 1; i <= n; i++)
        best = least(best, prices[i] - (less ? less[i] : 0));
    return best;
}

/* The relays of a group: those that its stations reach, or all with computational privacy, because
 * of couriers. */
static void add_relays(struct parts *parts, struct least_prices *l, uint32_t group)
{
    const struct topology *t = l->t;
    const struct topology_group *g = &t->groups[group];
    uint32_t z = g->computational ? 0 : t->collude_relays;

    for (size_t i = 0; i < g->via.n; i++) {
        const struct topology_list *via = &t->station_via[g->via.numbers[i] - 1];

        for (size_t k = 0; k < via->n; k++)
            l->marks[via->numbers[k]] = group + 1;
    }
    for (int what = 0; what < 3; what++) {
        size_t n = 0;

        for (uint32_t m = 1; m <= t->n_relays; m++)
            if (g->computational || l->marks[m] == group + 1)
                l->list[n++] = what == 0 ? l->relayed[m] : what == 1 ? l->relay_on[m] : 1;
        raise_to_spread(what == 0   ? parts->relayed
                        : what == 1 ? parts->relays
                                    : parts->n_relayed,
                        l->list, n, z);
    }
}

static void add_group(struct parts *parts, struct least_prices *l, uint32_t group)
{
    const struct topology *t = l->t;
    const struct topology_group *g = &t->groups[group];
    uint32_t z = g->computational ? 0 : t->collude_stations;
    uint64_t num, den;

    for (size_t i = 0; i < g->via.n; i++)
        l->list[i] = l->into[g->via.numbers[i]];
    if (spread(&num, &den, l->list, g->via.n, z))
        fraction_add(parts->clients, parts->n_clients[group], num, den);
    for (size_t i = 0; i < g->via.n; i++)
        l->list[i] = l->on[g->via.numbers[i]];
    raise_to_spread(parts->stations, l->list, g->via.n, z);
    if (t->n_relays > 0)
        add_relays(parts, l, group);
}

/* Stations send `stations` to any nodes; n_relayed of it, or once the vector to the federator, goes
 * up, where it may cost more. The same applies to relays. */
static void add_up(mpq_t bound, struct parts *parts, const struct least_prices *l)
{
    const struct topology *t = l->t;
    mpq_t one;

    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    if (t->n_relays == 0) {
        mpq_set(parts->n_relayed, one);
        raise_to_product(parts->relayed, one, cheapest(l->up, NULL, t->n_stations));
    }
    add_product(parts->stations, parts->n_relayed, cheapest(l->up, l->on, t->n_stations));
    raise_to(parts->stations, parts->relayed);
    mpq_add(bound, parts->clients, parts->stations);
    if (t->n_relays > 0) {
        add_product(parts->relays, one, cheapest(l->relay_up, l->relay_on, t->n_relays));
        mpq_add(bound, bound, parts->relays);
    }
    mpq_set_ui(one, prices_unit(&t->prices), 1);
    mpq_div(bound, bound, one);
    mpq_clear(one);
}

static void use_tiers(struct parts *parts, const struct least_prices *l, mpq_t tiers[PLAN_TIERS])
{
    const struct topology *t = l->t;

    raise_to_product(parts->stations, tiers[0], cheapest(l->on, NULL, t->n_stations));
    if (t->n_relays == 0)
        return;
    raise_to(parts->n_relayed, tiers[1]);
    raise_to_product(parts->relayed, tiers[1], cheapest(l->relayed, NULL, t->n_relays));
    raise_to_product(parts->relays, tiers[1], cheapest(l->relay_on, NULL, t->n_relays));
}

int price_bound_of_plan(mpq_t bound, const struct plan *p, mpq_t tiers[PLAN_TIERS],
                        struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct parts parts = { .n_clients = calloc(t->n_groups + 1, sizeof *parts.n_clients) };
    struct least_prices l = { 0 };
    int status = parts.n_clients ? least_prices_new(&l, p, err) : err_errno(err, "%s", p->name);

    if (status) {
        free(parts.n_clients);
        return -1;
    }
    mpq_inits(parts.clients, parts.stations, parts.relayed, parts.relays, parts.n_relayed, NULL);
    for (size_t i = 0; i < t->n_clients; i++)
        parts.n_clients[t->clients[i].group]++;
    for (uint32_t g = 0; g < t->n_groups; g++)
        add_group(&parts, &l, g);
    if (tiers)
        use_tiers(&parts, &l, tiers);
    add_up(bound, &parts, &l);
    mpq_clears(parts.clients, parts.stations, parts.relayed, parts.relays, parts.n_relayed, NULL);
    least_prices_free(&l);
    free(parts.n_clients);
    return 0;
}

/* sum += times price m / (m - z) */
static void add_rate(mpq_t sum, uint64_t times, uint64_t price, uint32_t m, uint32_t z)
{
    mpq_t rate;

    mpq_init(rate);
    fraction_add(rate, times, m, m - z);
    add_product(sum, rate, price);
    mpq_clear(rate);
}

void price_bound_of_numbers(mpq_t bound, const struct topology *t, uint32_t reach)
{
    const struct topology_prices *p = &t->prices;
    uint64_t up = prices_of_link(p, t->n_relays > 0 ? LINK_STATION_RELAY : LINK_STATION_FEDERATOR),
             on = t->n_stations > 1 ? least(up, prices_of_link(p, LINK_STATION_STATION)) : up;
    uint64_t relay_up = prices_of_link(p, LINK_RELAY_FEDERATOR),
             relay_on =
                 t->n_relays > 1 ? least(relay_up, prices_of_link(p, LINK_RELAY_RELAY)) : relay_up;
    uint32_t n_relays = t->n_relays > t->collude_relays ? t->n_relays : 1,
             z = t->n_relays > t->collude_relays ? t->collude_relays : 0;
    mpq_t stations, relayed;

    mpq_inits(stations, relayed, NULL);
    mpq_set_ui(bound, 0, 1);
    add_rate(bound, t->n_clients, prices_of_link(p, LINK_CLIENT_STATION), reach,
             t->collude_stations);
    add_rate(stations, 1, on, reach, t->collude_stations);
    add_rate(stations, 1, up - on, n_relays, z);
    add_rate(relayed, 1, up, n_relays, z);
    mpq_add(bound, bound, mpq_cmp(stations, relayed) > 0 ? stations : relayed);
    if (t->n_relays > 0) {
        add_rate(bound, 1, relay_on, n_relays, z);
        fraction_add(bound, relay_up - relay_on, 1, 1);
    }
    mpq_set_ui(stations, prices_unit(p), 1);
    mpq_div(bound, bound, stations);
    mpq_clears(stations, relayed, NULL);
}
