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

void messages_set_link(struct plan_message *m, enum plan_link link)
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

struct plan_message messages_begin(const struct messages_walk *w, enum plan_link link)
{
    struct plan_message m = {
        .secret = HEADER_KEY,
        .n_symbols = w->length,
        .num = 1,
        .den = 1,
    };

    messages_set_link(&m, link);
    return m;
}

void messages_set_share(struct plan_message *m, enum plan_what what,
                        const struct messages_rate *rate)
{
    m->secret = what == PLAN_KEYS ? HEADER_KEY : HEADER_PADDED;
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
    if (w->p->topology.station_masks && m->secret != HEADER_MASK)
        m->secret = w->p->masked && m->link != LINK_CLIENT_STATION ? HEADER_MASKED : HEADER_PLAIN;
    return w->fn(w->arg, m, w->err) ? -1 : 0;
}

static int send_sharing(const struct messages_walk *w, uint32_t client, enum plan_what what,
                        const struct topology_list *stations)
{
    const struct messages_rate *rate = messages_client_rate(w, stations->n);
    struct plan_message m = messages_begin(w, LINK_CLIENT_STATION);

    if (!rate)
        return -1;
    messages_set_share(&m, what, rate);
    for (size_t i = 0; i < stations->n; i++)
        if (messages_send(w, &m, client, stations->numbers[i],
                          messages_is_out(w, 0, stations->numbers[i])))
            return -1;
    return 0;
}

static int send_from_clients(struct messages_walk *w)
{
    const struct topology *t = &w->p->topology;
    const struct rangeset *clients = w->presence->clients;
    struct plan_message key = messages_begin(w, LINK_CLIENT_STATION);

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t number = t->clients[i].number;
        struct plan_client c;

        if (clients && rangeset_overlap(clients, number, number) == 0)
            continue;
        w->takes_part[t->clients[i].group] = true;
        if (plan_client(w->p, number, &c, w->err) ||
            send_sharing(w, number, PLAN_SHARES, c.shares.lists[0]))
            return -1;
        if (t->station_masks)
            continue;
        if (!t->full && (w->first_keys == 0 || c.key_station < w->first_keys))
            w->first_keys = c.key_station;
        if (t->full ? send_sharing(w, number, PLAN_KEYS, c.keys.lists[0])
                    : messages_send(w, &key, number, c.key_station,
                                    messages_is_out(w, 0, c.key_station)))
            return -1;
    }
    return 0;
}

/* The relay for the total of the keys. */
static uint32_t key_relay(const struct messages_walk *w)
{
    const struct topology *t = &w->p->topology;
    const struct topology_list *via = &t->station_via[t->n_stations - 1];

    for (size_t i = 0; i < via->n; i++)
        if (!messages_is_out(w, 1, via->numbers[i]))
            return via->numbers[i];
    return plan_key_relay(w->p);
}

/* From the first station with a key to the last, and on to the federator. A station that is out
 * breaks the chain: how keys got past it nobody can foresee. */
static int send_keys(const struct messages_walk *w)
{
    uint32_t last = w->p->topology.n_stations, relay;
    struct plan_message m = messages_begin(w, LINK_STATION_STATION);
    bool broken = messages_is_out(w, 0, w->first_keys);

    for (uint32_t u = w->first_keys; u < last; u++) {
        broken = broken || messages_is_out(w, 0, u + 1);
        if (messages_send(w, &m, u, u + 1, broken))
            return -1;
    }
    m = messages_begin(w, messages_link_from(w, 0));
    if (plan_tiers(w->p) == 1)
        return messages_send(w, &m, last, 1, broken);
    relay = key_relay(w);
    broken = broken || messages_is_out(w, 1, relay);
    if (messages_send(w, &m, last, relay, broken))
        return -1;
    m = messages_begin(w, messages_link_from(w, 1));
    return messages_send(w, &m, relay, 1, broken);
}

static int walk(struct messages_walk *w)
{
    bool full = w->p->topology.full && !w->p->topology.station_masks;

    if (send_from_clients(w))
        return -1;
    for (size_t tier = 0; tier < plan_tiers(w->p); tier++)
        if (messages_sums(w, PLAN_SHARES, tier) || (full && messages_sums(w, PLAN_KEYS, tier)))
            return -1;
    if (w->p->masked)
        return messages_masks(w);
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
