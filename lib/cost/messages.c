#include "messages.h"

#include <stdio.h>
#include <stdlib.h>

#include "messages_walk.h"

bool messages_is_out(const struct messages_walk *w, size_t tier, uint32_t number)
{
    const struct rangeset *out = w->presence->out[tier];

    return out && rangeset_overlap(out, number, number) > 0;
}

enum plan_link messages_link_from(const struct messages_walk *w, size_t tier)
{
    return tier > 0               ? LINK_RELAY_FEDERATOR
           : plan_tiers(w->p) > 1 ? LINK_STATION_RELAY
                                  : LINK_STATION_FEDERATOR;
}

static void set_link(struct plan_message *m, enum plan_link link)
{
    static const char *const tiers[N_LINKS][2] = {
        [LINK_CLIENT_STATION] = { "client", "station" },
        [LINK_STATION_STATION] = { "station", "station" },
        [LINK_STATION_RELAY] = { "station", "relay" },
        [LINK_RELAY_RELAY] = { "relay", "relay" },
        [LINK_STATION_FEDERATOR] = { "station", "federator" },
        [LINK_RELAY_FEDERATOR] = { "relay", "federator" },
    };

    m->link = link;
    snprintf(m->from.tier, sizeof m->from.tier, "%s", tiers[link][0]);
    snprintf(m->to.tier, sizeof m->to.tier, "%s", tiers[link][1]);
}

struct plan_message messages_begin(const struct messages_walk *w, enum plan_link link,
                                   enum header_secret secret)
{
    struct plan_message m = { .secret = secret, .n_symbols = w->length, .num = 1, .den = 1 };

    set_link(&m, link);
    return m;
}

void messages_set_share(struct plan_message *m, const struct messages_rate *rate)
{
    m->is_share = true;
    m->n_symbols = rate->n_symbols;
    m->num = rate->num;
    m->den = rate->den;
}

const struct messages_rate *messages_client_rate(const struct messages_walk *w, size_t n)
{
    struct messages_rate *rate = &w->rates[n];
    struct hagg_scheme_shape shape;
    uint32_t k, z;

    if (rate->den > 0)
        return rate;
    if (plan_shape(w->p, 0, (uint32_t)n, &k, &z, &shape, w->err))
        return NULL;
    *rate = (struct messages_rate){
        .n_symbols = scheme_share_length(&shape, w->length),
        .num = shape.symbols,
        .den = shape.parts,
    };
    return rate;
}

int messages_send(const struct messages_walk *w, struct plan_message *m, uint32_t from, uint32_t to,
                  bool may_lack)
{
    m->from.number = from;
    m->to.number = to;
    m->may_lack = may_lack;
    return w->fn(w->arg, m, w->err) ? -1 : 0;
}

/* From the station to the federator, through a relay if there are any: the first that the station
 * reaches and is not out. */
static int send_total(const struct messages_walk *w, struct plan_message *m, uint32_t station,
                      bool may_lack)
{
    const struct topology_list *via;
    uint32_t relay;

    set_link(m, messages_link_from(w, 0));
    if (plan_tiers(w->p) == 1)
        return messages_send(w, m, station, 1, may_lack);
    via = &w->p->topology.station_via[station - 1];
    relay = via->numbers[0];
    for (size_t i = 0; i < via->n && messages_is_out(w, 1, relay); i++)
        relay = via->numbers[i];
    may_lack = may_lack || messages_is_out(w, 1, relay);
    if (messages_send(w, m, station, relay, may_lack))
        return -1;
    set_link(m, LINK_RELAY_FEDERATOR);
    return messages_send(w, m, relay, 1, may_lack);
}

static int send_sharing(const struct messages_walk *w, uint32_t client, enum header_secret secret,
                        const struct topology_list *stations)
{
    const struct messages_rate *rate = messages_client_rate(w, stations->n);
    struct plan_message m = messages_begin(w, LINK_CLIENT_STATION, secret);

    if (!rate)
        return -1;
    messages_set_share(&m, rate);
    for (size_t i = 0; i < stations->n; i++)
        if (messages_send(w, &m, client, stations->numbers[i],
                          messages_is_out(w, 0, stations->numbers[i])))
            return -1;
    return 0;
}

/* To one station, and remembers the first of them. */
static int send_key(struct messages_walk *w, uint32_t client, uint32_t station)
{
    struct plan_message m = messages_begin(w, LINK_CLIENT_STATION, HEADER_KEY);

    if (w->first_keys == 0 || station < w->first_keys)
        w->first_keys = station;
    return messages_send(w, &m, client, station, messages_is_out(w, 0, station));
}

static int send_from_client(struct messages_walk *w, uint32_t number)
{
    struct plan_client c;

    if (plan_client(w->p, number, &c, w->err) ||
        send_sharing(w, number, HEADER_PADDED, c.shares.lists[0]))
        return -1;
    return w->p->topology.full ? send_sharing(w, number, HEADER_KEY, c.keys.lists[0])
                               : send_key(w, number, c.key_station);
}

static int send_from_clients(struct messages_walk *w)
{
    const struct topology *t = &w->p->topology;
    const struct rangeset *clients = w->presence->clients;

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t number = t->clients[i].number;

        if (clients && rangeset_overlap(clients, number, number) == 0)
            continue;
        w->takes_part[t->clients[i].group] = true;
        if (send_from_client(w, number))
            return -1;
    }
    return 0;
}

/* From the first station with a key to the last, and on to the federator. A station that is out may
 * have passed keys on before, or have been passed over: nobody can foresee which. */
static int send_keys(const struct messages_walk *w)
{
    uint32_t last = w->p->topology.n_stations, before = 0; /* the last one that is not out */
    struct plan_message m = messages_begin(w, LINK_STATION_STATION, HEADER_KEY);
    bool broken = false;

    for (uint32_t u = w->first_keys; u <= last; u++) {
        bool out = messages_is_out(w, 0, u);

        broken = broken || out;
        if (u > w->first_keys && messages_send(w, &m, u - 1, u, broken))
            return -1;
        if (before > 0 && !out && u - before > 1 && messages_send(w, &m, before, u, true))
            return -1;
        before = out ? before : u;
    }
    if (send_total(w, &m, last, broken))
        return -1;
    return before > 0 && before < last ? send_total(w, &m, before, true) : 0;
}

static int walk(struct messages_walk *w)
{
    if (send_from_clients(w))
        return -1;
    for (size_t tier = 0; tier < plan_tiers(w->p); tier++)
        if (messages_sums(w, PLAN_SHARES, tier) ||
            (w->p->topology.full && messages_sums(w, PLAN_KEYS, tier)))
            return -1;
    return w->first_keys > 0 ? send_keys(w) : 0;
}

int plan_messages_present(const struct plan *p, uint64_t length,
                          const struct plan_presence *presence, plan_message_fn *fn, void *arg,
                          struct hagg_err *err)
{
    struct messages_walk w = {
        .p = p,
        .presence = presence,
        .length = length,
        .fn = fn,
        .arg = arg,
        .rates = calloc(p->topology.n_stations + (size_t)1, sizeof *w.rates),
        .takes_part = calloc(p->topology.n_groups, sizeof *w.takes_part),
        .err = err,
    };
    int status = w.rates && w.takes_part ? walk(&w) : err_errno(err, "%s", p->name);

    free(w.rates);
    free(w.takes_part);
    return status;
}

int plan_messages_each(const struct plan *p, uint64_t length, plan_message_fn *fn, void *arg,
                       struct hagg_err *err)
{
    static const struct plan_presence everybody;

    return plan_messages_present(p, length, &everybody, fn, arg, err);
}
