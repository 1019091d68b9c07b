#include "messages_walk.h"

#include <stdlib.h>

#include "plan_patterns.h"

/* Of a share among n relays of what was cut into so many blocks. */
static int relay_rate(const struct messages_walk *w, uint32_t cut, size_t n,
                      struct messages_rate *rate)
{
    struct hagg_scheme_shape shape;
    uint32_t k, z;

    if (plan_shape(w->p, 1, (uint32_t)n, &k, &z, &shape, w->err))
        return -1;
    *rate = (struct messages_rate){
        .n_symbols = cut * scheme_share_length(&shape, (w->length + cut - 1) / cut),
        .num = shape.symbols,
        .den = shape.parts,
    };
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
static bool lacks_stations(const struct messages_walk *w, const struct topology_list *stations)
{
    uint32_t n_out = 0;

    for (size_t i = 0; i < stations->n; i++)
        n_out += messages_is_out(w, 0, stations->numbers[i]);
    return n_out > topology_spares(&w->p->topology, 0);
}

static int sums_new(struct sums *s, const struct messages_walk *w, enum plan_what what, size_t tier)
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
        bool lacks;

        plan_route(w->p, &t->groups[g], what, &route);
        lacks = tier > 0 && t->transform && lacks_stations(w, route.lists[0]);
        for (size_t i = begin; i < end && w->takes_part[g]; i++) {
            bool out = t->transform
                           ? lacks
                           : tier > 0 && messages_is_out(w, 0, route.lists[0]->numbers[i - begin]);

            s->adds[i] |= out ? ADDS_ONE_OUT : ADDS_SOMEONE;
        }
    }
    return 0;
}

/* A sum lacks when nothing comes to it; under full collusion also when not all does. */
static bool may_lack(const struct messages_walk *w, uint8_t adds)
{
    return w->p->topology.full ? (adds & ADDS_ONE_OUT) != 0 : adds == ADDS_ONE_OUT;
}

/* What is in a sum. */
static enum header_secret secret_of(enum plan_what what)
{
    return what == PLAN_KEYS ? HEADER_KEY : HEADER_PADDED;
}

/* The sum of a pattern, a share of it from each holder. */
static int send_sum(const struct messages_walk *w, enum plan_what what, size_t tier,
                    const struct plan_route *route, const uint8_t *adds)
{
    struct plan_message m = messages_begin(w, messages_link_from(w, tier), secret_of(what));
    const struct topology_list *holders = route->lists[0];
    const struct messages_rate *rate;
    struct messages_rate cut;

    if (route->cut > 0)
        rate = relay_rate(w, route->cut, holders->n, &cut) ? NULL : &cut;
    else
        rate = messages_client_rate(w, holders->n);
    if (!rate)
        return -1;
    messages_set_share(&m, rate);
    for (size_t i = 0; i < holders->n; i++) {
        uint32_t from = holders->numbers[i], to = route->n > 1 ? route->lists[1]->numbers[i] : 1;

        if (messages_send(w, &m, from, to,
                          messages_is_out(w, tier, from) ||
                              (route->n > 1 && messages_is_out(w, tier + 1, to)) ||
                              may_lack(w, adds[i])))
            return -1;
    }
    return 0;
}

/* A pattern's sum to relays that hold sharings of their own, docs/theory.md section 8: the first
 * stations that are enough share their shares. */
static int send_transfers(const struct messages_walk *w, enum plan_what what,
                          const struct plan_route *route)
{
    const struct topology_list *stations = route->lists[0], *relays = route->lists[1];
    struct plan_message m = messages_begin(w, LINK_STATION_RELAY, secret_of(what));
    const struct messages_rate *old = messages_client_rate(w, stations->n);
    struct hagg_scheme_shape shape;
    uint32_t left = (uint32_t)stations->n - topology_spares(&w->p->topology, 0), k, z;

    if (!old || plan_shape(w->p, 1, (uint32_t)relays->n, &k, &z, &shape, w->err))
        return -1;
    messages_set_share(&m,
                       &(struct messages_rate){ scheme_share_length(&shape, old->n_symbols),
                                                old->num * shape.symbols, old->den * shape.parts });
    m.is_transfer = true;
    for (size_t i = 0; i < stations->n && left > 0; i++) {
        bool out = messages_is_out(w, 0, stations->numbers[i]);

        left -= !out;
        for (size_t j = 0; j < relays->n; j++)
            if (messages_send(w, &m, stations->numbers[i], relays->numbers[j],
                              out || messages_is_out(w, 1, relays->numbers[j])))
                return -1;
    }
    return 0;
}

int messages_sums(const struct messages_walk *w, enum plan_what what, size_t tier)
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
