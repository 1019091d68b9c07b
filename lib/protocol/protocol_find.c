#include <string.h>

#include "protocol/protocol_state.h"

struct finding {
    const struct protocol *p;
    const struct header *h;
    unsigned ignoring;
    struct message *found;
};

static bool is_reshared(const struct protocol *p)
{
    return p->plan->topology.transform;
}

static bool is_sender(const struct finding *f, struct node node)
{
    return (f->ignoring & FIND_ANY_SENDER) != 0 || node_is(&f->h->from, node);
}

static bool is_addressee(const struct finding *f, struct node node)
{
    return (f->ignoring & FIND_ANY_ADDRESSEE) != 0 || node_is(&f->h->to, node);
}

/* Returns true if sender and receiver of the record fit the message. Three cases: they are
 * those of the message; or keys in the clear, added up without a station number, name neither; or,
 * with transform, the record is an intermediate sum that a holder keeps, of clients' shares or
 * made from transfers, which names its maker only if it is sealed. */
static bool is_on_way(const struct finding *f, struct message *s)
{
    const struct header *h = f->h;
    bool from_client = s->stage->from == NODE_CLIENT;
    struct node holder = from_client ? s->to : s->from;

    if (is_sender(f, s->from) && is_addressee(f, s->to))
        return !from_client || (f->ignoring & FIND_ANY_CLIENTS) != 0 ||
               header_count_clients(h) == 1;
    s->seed = false; /* sums of seeds have elements */
    if (h->kind == HEADER_VECTOR)
        return !h->from.tier[0] && !h->to.tier[0];
    if (!is_reshared(f->p) || h->kind != HEADER_SHARE || !is_addressee(f, holder) ||
        !(from_client ? is_sender(f, holder) : !h->from.tier[0] || node_is(&h->from, holder)))
        return false;
    s->from = s->to = holder;
    return true;
}

bool protocol_is_scheme(const struct header_scheme *a, const struct header_scheme *b)
{
    return strcmp(a->name, b->name) == 0 && a->n == b->n && a->k == b->k && a->z == b->z &&
           a->index == b->index && a->has_point == b->has_point &&
           (!a->has_point || a->point == b->point);
}

static bool is_sharing(const struct protocol *p, size_t tier, size_t n, uint32_t index,
                       const struct header_scheme *scheme)
{
    struct header_scheme own;
    struct hagg_err why;

    return protocol_scheme(p, tier, n, index, &own, &why) == 0 && protocol_is_scheme(scheme, &own);
}

bool protocol_is_tier(const struct header_tier *named, size_t tier,
                      const struct topology_list *list)
{
    return strcmp(named->name, plan_tier_name(tier)) == 0 && named->n_numbers == list->n &&
           memcmp(named->numbers, list->numbers, list->n * sizeof *list->numbers) == 0;
}

static bool is_share(const struct protocol *p, const struct header *h, const struct message *s)
{
    const struct protocol_place at = protocol_place(p, s);

    if (h->n_layout != at.n_layout || (at.n_layout > 0 && h->layout[0] != s->cuts[0]) ||
        h->n_route != at.n_route || !is_sharing(p, at.tier, at.lists[0]->n, s->index, &h->scheme))
        return false;
    for (size_t i = 0; i < at.n_route; i++)
        if (!protocol_is_tier(&h->route[i], at.tier + i, at.lists[i]))
            return false;
    return s->stage->kind != HEADER_TRANSFER ||
           (!h->has_carrier && is_sharing(p, 0, at.n_source, s->source, &h->source));
}

/* Returns true if vectors or keys of the group's clients are in the message. */
static bool carries(const struct protocol *p, const struct message *s, uint32_t group)
{
    const struct stage *stage = s->stage;

    if (stage->kind == HEADER_VECTOR)
        return stage->from != NODE_STATION ||
               plan_key_station(&p->plan->topology.groups[group]) <= s->from.number;
    return p->sums[protocol_what(stage)][stage->from == NODE_RELAY].patterns.of_group[group] ==
           s->pattern;
}

static bool carries_all(const struct finding *f, const struct message *s)
{
    for (size_t i = 0; i < f->h->n_clients && (f->ignoring & FIND_ANY_CLIENTS) == 0; i++) {
        struct header_range range = f->h->clients[i];
        const struct topology_client *c =
            topology_clients(&f->p->plan->topology, range.first, range.last);

        for (size_t j = 0; !c || j <= range.last - range.first; j++)
            if (!c || !carries(f->p, s, c[j].group))
                return false;
    }
    return true;
}

/* Reduces the message to the symbols of the record. Returns false if nobody sends these: a client
 * sends whole shares, and others prefixes, or what is between two of them. */
static bool has_symbols(const struct finding *f, struct message *s)
{
    const struct header_symbols *own = &f->h->symbols;
    const struct stage *stage = s->stage;
    bool transfer = stage->kind == HEADER_TRANSFER;
    size_t n_stations, n = f->h->scheme.n, tier = stage->from == NODE_RELAY && is_reshared(f->p);
    const struct protocol_sharing *old, *new;
    struct hagg_err why;

    if (own->end == 0)
        return true;
    n_stations = transfer ? f->h->source.n : n;
    old = protocol_shape(f->p, tier, n_stations, &why);
    new = protocol_shape(f->p, transfer || tier == 1, n, &why);
    if (!old || !new || stage->from == NODE_CLIENT || !scheme_sends(&old->prefixes, own))
        return false;
    s->symbols = *own;
    /* the number of parts of the stations' sharing is in the message */
    protocol_set_size(
        s, &(struct hagg_scheme_shape){ .parts = s->cuts[0], .symbols = old->shape.symbols },
        &new->shape);
    return true;
}

/* Ends the enumeration when the message is found. */
static int compare(void *finding, const struct message *sent, struct hagg_err *err)
{
    struct finding *f = finding;
    struct message s = *sent;

    (void)err;
    if ((f->h->kind != HEADER_VECTOR && f->h->scheme.index != s.index) || !is_on_way(f, &s) ||
        (f->h->kind != HEADER_VECTOR && !is_share(f->p, f->h, &s)) || !carries_all(f, &s) ||
        !has_symbols(f, &s))
        return 0;
    *f->found = s;
    return -1;
}

/* Finds the units of a stage that the record may belong to, from its first client or its sender. */
static void find_units(const struct finding *f, const struct stage *stage,
                       const struct topology_client *client, size_t *first, size_t *end)
{
    const struct topology *t = &f->p->plan->topology;
    const struct header_node *from = &f->h->from;
    size_t n = 1;

    if (stage->from == NODE_CLIENT)
        *first = (size_t)(client - t->clients);
    else if (stage->kind != HEADER_VECTOR)
        *first = f->p->sums[protocol_what(stage)][stage->from == NODE_RELAY]
                     .patterns.of_group[client->group];
    else if (stage->from == NODE_RELAY && from->tier[0])
        *first = 0, n = t->n_stations; /* any station may have sent it to the relay */
    else if (node_is(from, (struct node){ NODE_STATION, from->number }))
        *first = from->number - (size_t)1;
    else
        *first = t->n_stations - (size_t)1;
    *end = *first + n <= f->p->table->units(f->p, stage) ? *first + n : 0;
}

bool protocol_find_keys(const struct protocol *p, const struct header *h, unsigned ignoring,
                        struct message *s)
{
    struct protocol everybody = *p;
    struct finding f = { &everybody, h, ignoring, s };
    struct hagg_err why = { 0 };
    struct walk w = { &everybody, true, compare, &f, &why };
    const struct topology_client *client =
        h->n_clients > 0 ? topology_client(&p->plan->topology, h->clients[0].first) : NULL;

    everybody.presence = (struct protocol_presence){ 0 };
    for (const struct stage *stage = NULL;
         client && (stage = protocol_next_stage(&p->plan->topology, stage));) {
        size_t unit, end;

        if (stage->kind != h->kind || stage->secret != h->secret)
            continue;
        find_units(&f, stage, client, &unit, &end);
        for (; unit < end; unit++)
            if (stage->send(&w, stage, unit))
                return why.status == 0;
    }
    return false;
}

bool protocol_find_ignoring(const struct protocol *p, const struct header *h, unsigned ignoring,
                            struct message *s)
{
    return p->table->find(p, h, ignoring, s) &&
           ((ignoring & FIND_ANY_FORM) != 0 || h->seed == s->seed);
}

bool protocol_find(const struct protocol *p, const struct header *h, struct message *s)
{
    return protocol_find_ignoring(p, h, 0, s);
}
