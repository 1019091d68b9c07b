/* Protocol keys with transform: what stations send to relays, and relays to the federator. */
#include "protocol/protocol_keys.h"

/* Writes the indices of the first holders of the class that are present to sources, at most `most`,
 * and returns how many there are. The first k of them reshare the sum. */
static uint32_t find_sources(const struct protocol *p, enum plan_what what, uint32_t class,
                             uint32_t most, uint32_t *sources)
{
    const struct topology_list *stations = p->sums[what][0].patterns.routes[class].lists[0];
    uint32_t n = 0;

    for (uint32_t i = 0; i < stations->n && n < most; i++)
        if (!protocol_is_missing(p, 0, stations->numbers[i]))
            sources[n++] = i;
    return n;
}

/* Returns the number of a transfer in its stage. Numbers are reserved for every holder of every
 * class and all relays. */
static uint64_t transfer_place(const struct protocol *p, enum plan_what what, uint32_t class,
                               uint32_t source, uint32_t relay)
{
    return (p->sums[what][0].begins[class] + source) * p->plan->topology.n_relays + relay;
}

/* Finds the old and the new sharing of a class that is reshared; returns false on failure. */
static bool find_shapes(const struct protocol *p, const struct plan_route *route,
                        const struct protocol_sharing **old, const struct protocol_sharing **new,
                        struct hagg_err *err)
{
    *old = protocol_shape(p, 0, route->lists[0]->n, err);
    *new = *old ? protocol_shape(p, 1, route->lists[1]->n, err) : NULL;
    return *new != NULL;
}

/* With transform, k stations share their shares of a sum (docs/theory.md, section 8). */
int keys_send_transfers(const struct walk *w, const struct stage *stage, size_t unit)
{
    enum plan_what what = protocol_what(stage);
    const struct protocol_sums *sums = &w->p->sums[what][0];
    const struct plan_route *route = &sums->patterns.routes[unit];
    const struct hagg_scheme_prefix *prefix;
    const struct protocol_sharing *old, *new;
    uint32_t *sources = w->p->sources, class = (uint32_t)unit, n_sources;

    if (!keys_is_needed(w, sums, class))
        return 0;
    if (!find_shapes(w->p, route, &old, &new, w->err))
        return -1;
    prefix = keys_prefix(w->p, 0, route->lists[0], old);
    n_sources = find_sources(w->p, what, class,
                             w->all_possible || w->p->presence.worst ? UINT32_MAX : prefix->holders,
                             sources);
    for (uint32_t i = 0; i < n_sources; i++)
        for (uint32_t j = 0; j < route->lists[1]->n; j++) {
            struct message s = {
                .stage = stage,
                .from = { NODE_STATION, route->lists[0]->numbers[sources[i]] },
                .to = { NODE_RELAY, route->lists[1]->numbers[j] },
                .id = keys_id_in(w->p, stage, transfer_place(w->p, what, class, sources[i], j)),
                .pattern = class,
                .index = j,
                .source = sources[i],
                .draws = keys_id_in(w->p, stage, transfer_place(w->p, what, class, sources[i], 0)),
                .complete = true,
            };

            keys_set_prefix(w->p, &s, prefix, route->lists[0]->n, sources[i], old);
            s.n_draws = scheme_symbols(&s.symbols, old->shape.symbols).end * new->shape.randoms;
            protocol_set_size(&s, &old->shape, &new->shape);
            if (protocol_has(w->p, s.to) && walk_send(w, &s))
                return -1;
        }
    return 0;
}

/* The secrets of a transfer are the symbols of the station's sum of its clients' shares. */
int keys_transfer(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                  void *arg, struct hagg_err *err)
{
    enum plan_what what = protocol_what(s->stage);
    const struct protocol_sums *sums = &p->sums[what][0];
    const struct sharing *sharing =
        protocol_sharing(p, 1, sums->patterns.routes[s->pattern].lists[1]->n, err);
    uint32_t symbols = sharing ? sharing->shape.symbols : 1;
    struct term kept = {
        .of = TERM_MESSAGE,
        .id = keys_id_of(p, SHARES, what, sums->begins[s->pattern] + s->source),
        .row = s->symbols.first + row / symbols,
    };

    return sharing ? keys_encode(sharing, (size_t)s->index * symbols + row % symbols, kept,
                                 s->draws, row / symbols * sharing->shape.randoms, fn, arg, err)
                   : -1;
}

/* Relays make their shares from the transfers, and add up those of classes with the same relays and
 * the same number of parts. */
int keys_send_reshared(const struct walk *w, const struct stage *stage, size_t m)
{
    enum plan_what what = protocol_what(stage);
    const struct protocol_sums *sums = &w->p->sums[what][1], *before = &w->p->sums[what][0];
    const struct protocol_merging *merging = &w->p->merging[what];
    const struct plan_route *route = &sums->patterns.routes[m];
    const struct protocol_sharing *new = protocol_shape(w->p, 1, route->lists[0]->n, w->err);
    struct message s = {
        .stage = stage,
        .to = NODE_THE_FEDERATOR,
        .pattern = (uint32_t)m,
        .complete = true,
    };
    const struct hagg_scheme_shape old_shape = { .parts = route->cut, .symbols = 1 };
    const struct hagg_scheme_prefix *prefix;
    bool arrives = false;

    if (!new)
        return -1;
    prefix = keys_prefix(w->p, 1, route->lists[0], new);
    for (size_t i = merging->begins[m]; i < merging->begins[m + 1]; i++) {
        uint32_t class = merging->patterns[i];
        const struct topology_list *stations = before->patterns.routes[class].lists[0];
        const struct protocol_sharing *old = protocol_shape(w->p, 0, stations->n, w->err);

        if (!old)
            return -1;
        if (!keys_is_needed(w, before, class))
            continue;
        if (find_sources(w->p, what, class, old->k, w->p->sources) == old->k)
            arrives = true;
        else
            s.complete = false;
    }
    for (; arrives && s.index < route->lists[0]->n; s.index++) {
        keys_set_prefix(w->p, &s, prefix, route->lists[0]->n, s.index, new);
        protocol_set_size(&s, &old_shape, &new->shape);
        s.from = (struct node){ NODE_RELAY, route->lists[0]->numbers[s.index] };
        s.id = keys_id_in(w->p, stage, sums->begins[m] + s.index);
        if (protocol_has(w->p, s.from) && walk_send(w, &s))
            return -1;
    }
    return 0;
}

/* Lists the terms of one class in a row of a relay's share, a symbol of its share of one part: the
 * stations' inverse matrix times this symbol of the transfers of its sources. */
static int reshare(struct protocol *p, const struct message *s, uint32_t class, uint32_t row,
                   protocol_term_fn *fn, void *arg, struct hagg_err *err)
{
    enum plan_what what = protocol_what(s->stage);
    const struct plan_route *route = &p->sums[what][0].patterns.routes[class];
    const struct protocol_sharing *old, *new;
    const struct hagg_scheme_prefix *prefix;
    uint32_t *sources =
        p->sources + p->plan->topology.n_stations; /* the first half is in use by an enumeration */
    const struct matrix *inverse;
    struct header_symbols symbols;
    uint32_t part, symbol;

    if (!find_shapes(p, route, &old, &new, err))
        return -1;
    prefix = keys_prefix(p, 0, route->lists[0], old);
    if (find_sources(p, what, class, prefix->holders, sources) < prefix->holders)
        return 0;
    symbols = scheme_symbols(&s->symbols, new->shape.symbols);
    part = row / (symbols.end - symbols.first);
    symbol = symbols.first + row % (symbols.end - symbols.first);
    inverse = protocol_inverse(p, route->lists[0]->n, sources, prefix, err);
    for (uint32_t i = 0; inverse && i < prefix->holders * prefix->symbols; i++) {
        struct term t = {
            .of = TERM_MESSAGE,
            .id =
                keys_id_of(p, TRANSFERS, what,
                           transfer_place(p, what, class, sources[i / prefix->symbols], s->index)),
            .row = i % prefix->symbols * new->shape.symbols + symbol,
            .n_segments = 1,
            .factor = matrix_at(inverse, part, i),
        };

        if (fn(arg, &t, err))
            return -1;
    }
    return inverse ? 0 : -1;
}

int keys_reshared(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                  void *arg, struct hagg_err *err)
{
    enum plan_what what = protocol_what(s->stage);
    const struct protocol_merging *merging = &p->merging[what];

    for (size_t i = merging->begins[s->pattern]; i < merging->begins[s->pattern + 1]; i++)
        if (p->sums[what][0].n_clients[merging->patterns[i]] > 0 &&
            reshare(p, s, merging->patterns[i], row, fn, arg, err))
            return -1;
    return 0;
}
