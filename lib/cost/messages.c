#include "messages.h"

#include <stdio.h>
#include <stdlib.h>

#include "plan_patterns.h"

/* What one share among so many holders costs. */
struct rate {
    uint64_t n_symbols;
    uint64_t num, den; /* den is 0 while nobody has asked */
};

struct walk {
    const struct plan *p;
    const struct plan_presence *presence;
    uint64_t length;
    plan_message_fn *fn;
    void *arg;
    struct rate *rates;  /* by number of stations */
    bool *takes_part;    /* by group of the topology: some client of it does */
    uint32_t first_keys; /* the first station that gets a whole key, or 0 */
    struct hagg_err *err;
};

static bool is_out(const struct walk *w, size_t tier, uint32_t number)
{
    const struct rangeset *out = w->presence->out[tier];

    return out && rangeset_overlap(out, number, number) > 0;
}

/* Over which link a tier sends on. */
static enum plan_link link_from(const struct walk *w, size_t tier)
{
    return tier > 0               ? LINK_RELAY_FEDERATOR
           : plan_tiers(w->p) > 1 ? LINK_STATION_RELAY
                                  : LINK_STATION_FEDERATOR;
}

/* A whole key over the link. */
static struct plan_message begin(const struct walk *w, enum plan_link link)
{
    static const char *const tiers[N_LINKS][2] = {
        [LINK_CLIENT_STATION] = { "client", "station" },
        [LINK_STATION_STATION] = { "station", "station" },
        [LINK_STATION_RELAY] = { "station", "relay" },
        [LINK_RELAY_RELAY] = { "relay", "relay" },
        [LINK_STATION_FEDERATOR] = { "station", "federator" },
        [LINK_RELAY_FEDERATOR] = { "relay", "federator" },
    };
    struct plan_message m = {
        .link = link,
        .secret = HEADER_KEY,
        .n_symbols = w->length,
        .num = 1,
        .den = 1,
    };

    snprintf(m.from.tier, sizeof m.from.tier, "%s", tiers[link][0]);
    snprintf(m.to.tier, sizeof m.to.tier, "%s", tiers[link][1]);
    return m;
}

/* Makes it one share at that rate. */
static void set_share(struct plan_message *m, enum plan_what what, const struct rate *rate)
{
    m->secret = what == PLAN_KEYS ? HEADER_KEY : HEADER_PADDED;
    m->is_share = true;
    m->n_symbols = rate->n_symbols;
    m->num = rate->num;
    m->den = rate->den;
}

/* Of a share among n holders that clients have shared with. */
static const struct rate *client_rate(const struct walk *w, size_t n)
{
    struct rate *rate = &w->rates[n];
    struct hagg_scheme_shape shape;
    uint32_t k, z;

    if (rate->den > 0)
        return rate;
    if (plan_shape(w->p, 0, (uint32_t)n, &k, &z, &shape, w->err))
        return NULL;
    *rate = (struct rate){
        .n_symbols = scheme_share_length(&shape, w->length),
        .num = shape.symbols,
        .den = shape.parts,
    };
    return rate;
}

/* Of a share among n relays of what was cut into so many blocks. */
static int relay_rate(const struct walk *w, uint32_t cut, size_t n, struct rate *rate)
{
    struct hagg_scheme_shape shape;
    uint32_t k, z;

    if (plan_shape(w->p, 1, (uint32_t)n, &k, &z, &shape, w->err))
        return -1;
    *rate = (struct rate){
        .n_symbols = cut * scheme_share_length(&shape, (w->length + cut - 1) / cut),
        .num = shape.symbols,
        .den = shape.parts,
    };
    return 0;
}

static int send(const struct walk *w, struct plan_message *m, uint32_t from, uint32_t to,
                bool may_lack)
{
    m->from.number = from;
    m->to.number = to;
    m->may_lack = may_lack;
    return w->fn(w->arg, m, w->err) ? -1 : 0;
}

static int send_sharing(const struct walk *w, uint32_t client, enum plan_what what,
                        const struct topology_list *stations)
{
    const struct rate *rate = client_rate(w, stations->n);
    struct plan_message m = begin(w, LINK_CLIENT_STATION);

    if (!rate)
        return -1;
    set_share(&m, what, rate);
    for (size_t i = 0; i < stations->n; i++)
        if (send(w, &m, client, stations->numbers[i], is_out(w, 0, stations->numbers[i])))
            return -1;
    return 0;
}

static int send_from_clients(struct walk *w)
{
    const struct topology *t = &w->p->topology;
    const struct rangeset *clients = w->presence->clients;
    struct plan_message key = begin(w, LINK_CLIENT_STATION);

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t number = t->clients[i].number;
        struct plan_client c;

        if (clients && rangeset_overlap(clients, number, number) == 0)
            continue;
        w->takes_part[t->clients[i].group] = true;
        if (plan_client(w->p, number, &c, w->err) ||
            send_sharing(w, number, PLAN_SHARES, c.shares.lists[0]))
            return -1;
        if (!t->full && (w->first_keys == 0 || c.key_station < w->first_keys))
            w->first_keys = c.key_station;
        if (t->full ? send_sharing(w, number, PLAN_KEYS, c.keys.lists[0])
                    : send(w, &key, number, c.key_station, is_out(w, 0, c.key_station)))
            return -1;
    }
    return 0;
}

/* Who adds to a share of a pattern. */
enum adds { ADDS_SOMEONE = 1, ADDS_ONE_OUT = 2 };

struct sums {
    struct plan_patterns patterns;
    size_t *begins; /* of each pattern in adds, and the end */
    uint8_t *adds;  /* by share of each pattern: 0 for one of which nobody takes part */
};

static void sums_free(struct sums *s)
{
    plan_patterns_free(&s->patterns);
    free(s->begins);
    free(s->adds);
}

/* Whether too many stations are out for the others to transform their sharing. */
static bool lacks_stations(const struct walk *w, const struct topology_list *stations)
{
    uint32_t n_out = 0;

    for (size_t i = 0; i < stations->n; i++)
        n_out += is_out(w, 0, stations->numbers[i]);
    return n_out > topology_spares(&w->p->topology, 0);
}

/* What clients like these add to share i of their pattern at the tier. */
static enum adds adds_to(const struct walk *w, const struct plan_route *route, size_t tier,
                         size_t i)
{
    bool out = tier > 0 && (w->p->topology.transform ? lacks_stations(w, route->lists[0])
                                                     : is_out(w, 0, route->lists[0]->numbers[i]));

    return out ? ADDS_ONE_OUT : ADDS_SOMEONE;
}

static int sums_new(struct sums *s, const struct walk *w, enum plan_what what, size_t tier)
{
    const struct topology *t = &w->p->topology;

    *s = (struct sums){ 0 };
    if (plan_patterns_new(&s->patterns, w->p, what, tier, w->err))
        return -1;
    s->begins = calloc(s->patterns.n + 1, sizeof *s->begins);
    for (size_t i = 0; i < s->patterns.n && s->begins; i++)
        s->begins[i + 1] = s->begins[i] + s->patterns.routes[i].lists[0]->n;
    s->adds = s->begins ? calloc(s->begins[s->patterns.n] + 1, sizeof *s->adds) : NULL;
    if (!s->adds) {
        sums_free(s);
        return err_errno(w->err, "%s", w->p->name);
    }
    for (size_t g = 0; g < t->n_groups; g++) {
        size_t begin = s->begins[s->patterns.of_group[g]];
        size_t end = s->begins[s->patterns.of_group[g] + 1];
        struct plan_route route;

        plan_route(w->p, &t->groups[g], what, &route);
        for (size_t i = begin; i < end && w->takes_part[g]; i++)
            s->adds[i] |= adds_to(w, &route, tier, i - begin);
    }
    return 0;
}

/* A sum lacks when nothing comes to it; under full collusion also when not all does. */
static bool may_lack(const struct walk *w, uint8_t adds)
{
    return w->p->topology.full ? (adds & ADDS_ONE_OUT) != 0 : adds == ADDS_ONE_OUT;
}

/* The sum of a pattern, a share of it from each holder. */
static int send_sum(const struct walk *w, enum plan_what what, size_t tier,
                    const struct plan_route *route, const uint8_t *adds)
{
    struct plan_message m = begin(w, link_from(w, tier));
    const struct topology_list *holders = route->lists[0];
    const struct rate *rate;
    struct rate cut;

    if (route->cut > 0)
        rate = relay_rate(w, route->cut, holders->n, &cut) ? NULL : &cut;
    else
        rate = client_rate(w, holders->n);
    if (!rate)
        return -1;
    set_share(&m, what, rate);
    for (size_t i = 0; i < holders->n; i++) {
        uint32_t from = holders->numbers[i], to = route->n > 1 ? route->lists[1]->numbers[i] : 1;

        if (send(w, &m, from, to,
                 is_out(w, tier, from) || (route->n > 1 && is_out(w, tier + 1, to)) ||
                     may_lack(w, adds[i])))
            return -1;
    }
    return 0;
}

/* A pattern's sum to relays that hold sharings of their own, docs/theory.md section 8: the first
 * stations that are enough share their shares. */
static int send_transfers(const struct walk *w, enum plan_what what, const struct plan_route *route)
{
    const struct topology_list *stations = route->lists[0], *relays = route->lists[1];
    struct plan_message m = begin(w, LINK_STATION_RELAY);
    const struct rate *old = client_rate(w, stations->n);
    struct hagg_scheme_shape shape;
    uint32_t left = (uint32_t)stations->n - topology_spares(&w->p->topology, 0), k, z;

    if (!old || plan_shape(w->p, 1, (uint32_t)relays->n, &k, &z, &shape, w->err))
        return -1;
    set_share(&m, what,
              &(struct rate){ scheme_share_length(&shape, old->n_symbols), old->num * shape.symbols,
                              old->den * shape.parts });
    m.is_transfer = true;
    for (size_t i = 0; i < stations->n && left > 0; i++) {
        bool out = is_out(w, 0, stations->numbers[i]);

        left -= !out;
        for (size_t j = 0; j < relays->n; j++)
            if (send(w, &m, stations->numbers[i], relays->numbers[j],
                     out || is_out(w, 1, relays->numbers[j])))
                return -1;
    }
    return 0;
}

/* What the tier sends on: a sum for every pattern. */
static int send_sums(const struct walk *w, enum plan_what what, size_t tier)
{
    bool transfers = w->p->topology.transform && tier == 0;
    struct sums s;
    int status = 0;

    if (sums_new(&s, w, what, tier))
        return -1;
    for (size_t i = 0; i < s.patterns.n && status == 0; i++) {
        const struct plan_route *route = &s.patterns.routes[i];
        const uint8_t *adds = s.adds + s.begins[i];

        if (adds[0] == 0)
            continue;
        status = transfers ? send_transfers(w, what, route) : send_sum(w, what, tier, route, adds);
    }
    sums_free(&s);
    return status;
}

/* The relay for the total of the keys. */
static uint32_t key_relay(const struct walk *w)
{
    const struct topology *t = &w->p->topology;
    const struct topology_list *via = &t->station_via[t->n_stations - 1];

    for (size_t i = 0; i < via->n; i++)
        if (!is_out(w, 1, via->numbers[i]))
            return via->numbers[i];
    return plan_key_relay(w->p);
}

/* From the first station with a key to the last, and on to the federator. A station that is out
 * breaks the chain: how keys got past it nobody can foresee. */
static int send_keys(const struct walk *w)
{
    uint32_t last = w->p->topology.n_stations, relay;
    struct plan_message m = begin(w, LINK_STATION_STATION);
    bool broken = is_out(w, 0, w->first_keys);

    for (uint32_t u = w->first_keys; u < last; u++) {
        broken = broken || is_out(w, 0, u + 1);
        if (send(w, &m, u, u + 1, broken))
            return -1;
    }
    m = begin(w, link_from(w, 0));
    if (plan_tiers(w->p) == 1)
        return send(w, &m, last, 1, broken);
    relay = key_relay(w);
    broken = broken || is_out(w, 1, relay);
    if (send(w, &m, last, relay, broken))
        return -1;
    m = begin(w, link_from(w, 1));
    return send(w, &m, relay, 1, broken);
}

static int walk(struct walk *w)
{
    bool full = w->p->topology.full;

    if (send_from_clients(w))
        return -1;
    for (size_t tier = 0; tier < plan_tiers(w->p); tier++)
        if (send_sums(w, PLAN_SHARES, tier) || (full && send_sums(w, PLAN_KEYS, tier)))
            return -1;
    return w->first_keys > 0 ? send_keys(w) : 0;
}

int plan_messages_present(const struct plan *p, uint64_t length,
                          const struct plan_presence *presence, plan_message_fn *fn, void *arg,
                          struct hagg_err *err)
{
    struct walk w = {
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
