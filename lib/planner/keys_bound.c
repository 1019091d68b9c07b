#include "planner/keys.h"

#include <stdlib.h>
#include <string.h>

#include "cost/count/fraction.h"
#include "cost/count/prices.h"

/* By number of stations: clients with information-theoretic and with computational privacy. */
struct sizes {
    uint64_t *clients[2];
    uint64_t most;
};

/* How the clients of a group share in a plan with protocol keys, at best. The plan at hand may be
 * one of protocol aligned, in which a client needs fewer stations. */
struct sharing_group {
    uint64_t n_stations;
    bool computational;
};

/* Those with computational privacy that reach too few stations get as many as they need through a
 * courier. */
static struct sharing_group sharing_of(const struct topology *t, const struct topology_group *g)
{
    uint64_t fewest = (uint64_t)t->collude_stations + 2 * (uint64_t)t->drop_stations + 1;
    bool computational = g->computational || (t->fallback && g->via.n < fewest);

    return (struct sharing_group){
        .n_stations = computational && g->via.n < fewest ? fewest : g->via.n,
        .computational = computational,
    };
}

static int count_sizes(struct sizes *s, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    *s = (struct sizes){ .most = 3 * (uint64_t)t->n_stations + 1 };
    for (int i = 0; i < 2; i++)
        s->clients[i] = calloc(s->most + 1, sizeof *s->clients[i]);
    if (!s->clients[0] || !s->clients[1]) {
        free(s->clients[0]);
        free(s->clients[1]);
        return err_errno(err, "%s", p->name);
    }
    for (size_t i = 0; i < t->n_clients; i++) {
        struct sharing_group g = sharing_of(t, &t->groups[t->clients[i].group]);

        s->clients[g.computational][g.n_stations < s->most ? g.n_stations : s->most]++;
    }
    return 0;
}

/* What every plan with protocol keys sends at least over each kind of link. */
struct least {
    mpq_t clients, up, relays_up;
};

/* A sharing over m stations costs at least m / (m - z - t), or without the seeds of a client with
 * computational privacy (m - z) / (m - z - t). Each client shares its padded vector, over no more
 * stations than it can address. Under partial collusion it also sends its key to a station, perhaps
 * as a seed, and the total of the keys goes to the federator; under full collusion it shares its
 * key in the same way. The federator receives at least the sharing of the client with the fewest
 * stations, or with scheme staircase m / (m - z) from m of them. Relays receive and send at least
 * the total of the vectors and that of the keys. */
static int count_least(struct least *sent, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t z = t->collude_stations, hidden = z + t->drop_stations;
    uint64_t n_secrets = t->full ? 2 : 1; /* that are shared */
    bool in_part = !t->scheme_stated || strcmp(t->scheme, "ramp") != 0;
    uint64_t least = 0, n_keys = 0;
    struct sizes sizes;

    if (count_sizes(&sizes, p, err))
        return -1;
    for (uint64_t m = sizes.most; m > 0; m--) {
        n_keys += sizes.clients[0][m];
        if (m <= hidden || sizes.clients[0][m] + sizes.clients[1][m] == 0)
            continue;
        fraction_add(sent->clients, n_secrets * sizes.clients[0][m], m, m - hidden);
        fraction_add(sent->clients, n_secrets * sizes.clients[1][m], m - z, m - hidden);
        least = m;
    }
    free(sizes.clients[0]);
    free(sizes.clients[1]);
    if (!t->full)
        fraction_add(sent->clients, n_keys, 1, 1);
    if (t->n_relays > 0) {
        fraction_add(sent->up, 2, 1, 1);
        fraction_add(sent->relays_up, 2, 1, 1);
        return 0;
    }
    if (least > 0)
        fraction_add(sent->up, n_secrets, least, least - (in_part ? z : hidden));
    if (!t->full)
        fraction_add(sent->up, 1, 1, 1);
    return 0;
}

/* The lowest price of such a link. from_pays, to_pays: the number of nodes at its ends that may pay
 * something, or 0. */
static uint64_t cheapest(const struct topology_prices *p, enum topology_link link,
                         enum node_tier from, uint32_t from_pays, enum node_tier to,
                         uint32_t to_pays)
{
    uint64_t send = from_pays > 0 ? UINT64_MAX : 0, receive = to_pays > 0 ? UINT64_MAX : 0;

    for (uint32_t i = 1; i <= from_pays; i++) {
        uint64_t price = prices_send(p, (struct node){ from, i });

        send = price < send ? price : send;
    }
    for (uint32_t i = 1; i <= to_pays; i++) {
        uint64_t price = prices_receive(p, (struct node){ to, i });

        receive = price < receive ? price : receive;
    }
    return prices_of_link(p, link) + send + receive;
}

static void add_priced(mpq_t price, const mpq_t times, uint64_t each, uint32_t unit)
{
    mpq_t product;

    mpq_init(product);
    fraction_add(product, 1, each, unit);
    mpq_mul(product, product, times);
    mpq_add(price, price, product);
    mpq_clear(product);
}

int keys_bound(mpq_t bound, mpq_t price, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    const struct topology_prices *prices = &t->prices;
    uint32_t unit = prices_unit(prices), b = t->n_stations, r = t->n_relays;
    struct least sent;
    int status;

    mpq_inits(sent.clients, sent.up, sent.relays_up, NULL);
    status = count_least(&sent, p, err);
    mpq_add(bound, sent.clients, sent.up);
    mpq_add(bound, bound, sent.relays_up);
    mpq_set_ui(price, 0, 1);
    add_priced(price, sent.clients,
               cheapest(prices, LINK_CLIENT_STATION, NODE_CLIENT, 0, NODE_STATION, b), unit);
    if (r > 0) {
        add_priced(price, sent.up,
                   cheapest(prices, LINK_STATION_RELAY, NODE_STATION, b, NODE_RELAY, r), unit);
        add_priced(price, sent.relays_up,
                   cheapest(prices, LINK_RELAY_FEDERATOR, NODE_RELAY, r, NODE_FEDERATOR, 0), unit);
    } else
        add_priced(price, sent.up,
                   cheapest(prices, LINK_STATION_FEDERATOR, NODE_STATION, b, NODE_FEDERATOR, 0),
                   unit);
    mpq_clears(sent.clients, sent.up, sent.relays_up, NULL);
    return status;
}
