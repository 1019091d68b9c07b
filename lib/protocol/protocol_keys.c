#include "protocol/protocol_keys.h"

#include "plan/plan_seeds.h"

static const struct protocol_sums *sums_of(const struct protocol *p, const struct stage *s,
                                           size_t tier)
{
    return &p->sums[protocol_what(s)][tier];
}

static uint32_t n_symbols(const struct message *s, const struct hagg_scheme_shape *shape)
{
    struct header_symbols own = scheme_symbols(&s->symbols, shape->symbols);

    return own.end - own.first;
}

/* A message is a whole vector; or a share, with one row per symbol; or, for each symbol of a share,
 * a share of it; or one share of a share for each part of the old sharing. */
void protocol_set_size(struct message *s, const struct hagg_scheme_shape *of_stations,
                       const struct hagg_scheme_shape *of_relays)
{
    s->n_rows = s->cuts[0] = s->cuts[1] = 1;
    if (s->stage->kind == HEADER_VECTOR)
        return;
    s->cuts[0] = of_stations->parts;
    if (s->stage->relays != STAGE_RESHARED) {
        s->n_rows = n_symbols(s, of_stations);
        return;
    }
    s->cuts[1] = of_relays->parts;
    s->n_rows = s->stage->kind == HEADER_SHARE ? of_stations->parts * n_symbols(s, of_relays)
                                               : n_symbols(s, of_stations) * of_relays->symbols;
}

static uint32_t n_missing(const struct protocol *p, size_t tier)
{
    const struct rangeset *missing = p->presence.missing[tier];

    return missing ? (uint32_t)rangeset_count(missing) : 0;
}

/* Returns how many shares of a sum arrive at those who decode or transform it. */
static uint32_t n_arriving(const struct protocol *p, size_t tier,
                           const struct topology_list *holders)
{
    const struct topology *t = &p->plan->topology;
    uint32_t n = 0;

    if (t->n_relays > 0 && !t->transform)
        return n_missing(p, 1) > 0 || n_missing(p, 0) > holders->n
                   ? 0
                   : (uint32_t)holders->n - n_missing(p, 0);
    for (size_t i = 0; i < holders->n; i++)
        n += !protocol_is_missing(p, tier, holders->numbers[i]);
    return n;
}

const struct hagg_scheme_prefix *keys_prefix(const struct protocol *p, size_t tier,
                                             const struct topology_list *holders,
                                             const struct protocol_sharing *sharing)
{
    const struct scheme_prefixes *all = &sharing->prefixes;
    const struct hagg_scheme_prefix *found = NULL;

    if (p->presence.prefixes)
        found = scheme_prefix_for(all, n_arriving(p, tier, holders));
    return found ? found : &all->all[all->n - 1];
}

bool protocol_sum_prefix(const struct protocol *p, const struct header *h,
                         struct hagg_scheme_prefix *prefix)
{
    const struct protocol_sharing *sharing;
    const struct topology_list *holders;
    struct protocol_sum sum;
    struct hagg_err why;

    if (!protocol_find_sum(p, h, &sum))
        return false;
    holders = protocol_sum_holders(p, &sum);
    /* without transform, relays hold shares of the stations' sharing */
    sharing = protocol_shape(p, p->plan->topology.transform ? sum.tier : 0, holders->n, &why);
    if (!sharing)
        return false;
    *prefix = *keys_prefix(p, sum.tier, holders, sharing);
    return true;
}

const struct hagg_scheme_prefix *protocol_worst_prefix(const struct topology *t,
                                                       const struct scheme_prefixes *prefixes,
                                                       uint32_t n, uint32_t n_spare, uint32_t index)
{
    if (t->n_relays > 0 && !t->transform)
        return &prefixes->all[prefixes->n - 1];
    return scheme_prefix_for(prefixes, n - (index < n_spare ? index : n_spare));
}

void keys_set_prefix(const struct protocol *p, struct message *s,
                     const struct hagg_scheme_prefix *prefix, size_t n_holders, uint32_t index,
                     const struct protocol_sharing *sharing)
{
    uint32_t n = (uint32_t)n_holders;

    if (p->presence.worst)
        prefix =
            protocol_worst_prefix(&p->plan->topology, &sharing->prefixes, n, n - sharing->k, index);
    s->symbols = (struct header_symbols){ 0 };
    if (prefix->symbols < sharing->shape.symbols)
        s->symbols.end = prefix->symbols;
}

/* A term that is a row of another message, unchanged. */
static int term_received(uint64_t id, uint32_t row, protocol_term_fn *fn, void *arg,
                         struct hagg_err *err)
{
    return fn(arg,
              &(struct term){ .of = TERM_MESSAGE,
                              .id = id,
                              .row = row,
                              .n_segments = 1,
                              .factor = protocol_one },
              err)
               ? -1
               : 0;
}

/* Clients share their padded vectors, and under full collusion their keys (docs/theory.md, sections
 * 2 and 4). */
static int send_shares(const struct walk *w, const struct stage *stage, size_t unit)
{
    const struct topology_client *client = &w->p->plan->topology.clients[unit];
    const struct topology_group *group = &w->p->plan->topology.groups[client->group];
    const struct protocol_sums *sums = sums_of(w->p, stage, 0);
    struct protocol_classes classes = protocol_classes_of(w->p, client->group);
    uint32_t pattern = sums->patterns.of_group[client->group];
    const struct topology_list *stations = sums->patterns.routes[pattern].lists[0];
    const struct protocol_sharing *sharing = protocol_shape(w->p, 0, stations->n, w->err);
    struct message s = {
        .stage = stage,
        .from = { NODE_CLIENT, client->number },
        .class = stage->secret == HEADER_KEY ? classes.key : classes.vector,
        .pattern = pattern,
        .draws = keys_id_in(w->p, stage, sums->begins[pattern]),
        .complete = true,
    };

    if (!sharing)
        return -1;
    protocol_set_size(&s, &sharing->shape, NULL);
    s.n_draws = sharing->shape.randoms;
    for (s.index = 0; s.index < stations->n; s.index++) {
        s.to = (struct node){ NODE_STATION, stations->numbers[s.index] };
        s.id = s.draws + s.index;
        s.seed = plan_is_seed(group, stations, sharing->z, s.index);
        s.courier = protocol_courier(w->p, group, s.to.number);
        if (protocol_arrives(w->p, &s) && walk_send(w, &s))
            return -1;
    }
    return 0;
}

int keys_encode(const struct sharing *sharing, size_t at, struct term part, uint64_t draws,
                uint32_t first_draw, protocol_term_fn *fn, void *arg, struct hagg_err *err)
{
    struct term drawn = { .of = TERM_DRAW, .id = draws, .n_segments = 1 };

    part.n_segments = sharing->shape.parts;
    for (part.segment = 0; part.segment < sharing->shape.parts; part.segment++) {
        part.factor = matrix_at(&sharing->matrix, at, part.segment);
        if (fn(arg, &part, err))
            return -1;
    }
    for (uint32_t i = 0; i < sharing->shape.randoms; i++) {
        drawn.row = first_draw + i;
        drawn.factor = matrix_at(&sharing->matrix, at, sharing->shape.parts + i);
        if (fn(arg, &drawn, err))
            return -1;
    }
    return 0;
}

static int share(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                 void *arg, struct hagg_err *err)
{
    size_t n = sums_of(p, s->stage, 0)->patterns.routes[s->pattern].lists[0]->n;
    const struct sharing *sharing = protocol_sharing(p, 0, n, err);
    struct term secret = { .of = TERM_SECRET, .id = s->class };

    return sharing ? keys_encode(sharing, (size_t)s->index * sharing->shape.symbols + row, secret,
                                 s->draws, 0, fn, arg, err)
                   : -1;
}

/* Partial collusion: each client sends its key to one station. */
static int send_key(const struct walk *w, const struct stage *stage, size_t unit)
{
    const struct plan *plan = w->p->plan;
    const struct topology_client *client = &plan->topology.clients[unit];
    const struct topology_group *group = &plan->topology.groups[client->group];
    uint32_t station = plan_key_station(group);
    struct message s = {
        .stage = stage,
        .from = { NODE_CLIENT, client->number },
        .to = { NODE_STATION, station },
        .id = keys_id_in(w->p, stage, station - 1),
        .class = protocol_classes_of(w->p, client->group).key,
        .complete = true,
        .seed = group->computational,
    };

    protocol_set_size(&s, NULL, NULL);
    return protocol_has(w->p, s.to) ? walk_send(w, &s) : 0;
}

static int key(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
               void *arg, struct hagg_err *err)
{
    struct term t = {
        .of = TERM_SECRET,
        .id = s->class,
        .row = row,
        .n_segments = 1,
        .factor = protocol_one,
    };

    (void)p;
    return fn(arg, &t, err) ? -1 : 0;
}

/* Stations add up the shares of each class, and send one sum per class to the federator or, with
 * relays, to the relay for this share index. */
static int send_sums(const struct walk *w, const struct stage *stage, size_t class)
{
    const struct protocol_sums *sums = sums_of(w->p, stage, 0);
    const struct plan_route *route = &sums->patterns.routes[class];
    const struct protocol_sharing *sharing = protocol_shape(w->p, 0, route->lists[0]->n, w->err);
    const struct hagg_scheme_prefix *prefix;
    struct message s = { .stage = stage, .pattern = (uint32_t) class, .complete = true };

    if (!sharing)
        return -1;
    prefix = keys_prefix(w->p, 0, route->lists[0], sharing);
    for (; keys_is_needed(w, sums, class) && s.index < route->lists[0]->n; s.index++) {
        keys_set_prefix(w->p, &s, prefix, route->lists[0]->n, s.index, sharing);
        protocol_set_size(&s, &sharing->shape, NULL);
        s.from = (struct node){ NODE_STATION, route->lists[0]->numbers[s.index] };
        s.to = stage->to == NODE_RELAY
                   ? (struct node){ NODE_RELAY, route->lists[1]->numbers[s.index] }
                   : NODE_THE_FEDERATOR;
        s.id = keys_id_in(w->p, stage, sums->begins[class] + s.index);
        if (protocol_has(w->p, s.from) && protocol_has(w->p, s.to) && walk_send(w, &s))
            return -1;
    }
    return 0;
}

static int sum(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
               void *arg, struct hagg_err *err)
{
    uint64_t place = sums_of(p, s->stage, 0)->begins[s->pattern] + s->index;

    return term_received(keys_id_of(p, SHARES, protocol_what(s->stage), place),
                         s->symbols.first + row, fn, arg, err);
}

/* Relays add up, for each share index, the sums of all classes that have the same relays. */
static int send_relayed(const struct walk *w, const struct stage *stage, size_t m)
{
    enum plan_what what = protocol_what(stage);
    const struct protocol_sums *sums = &w->p->sums[what][1], *before = &w->p->sums[what][0];
    const struct protocol_merging *merging = &w->p->merging[what];
    const struct topology_list *relays = sums->patterns.routes[m].lists[0];
    const struct protocol_sharing *sharing = protocol_shape(w->p, 0, relays->n, w->err);
    const struct hagg_scheme_prefix *prefix;
    struct message s = { .stage = stage, .pattern = (uint32_t)m, .to = NODE_THE_FEDERATOR };

    if (!sharing)
        return -1;
    prefix = keys_prefix(w->p, 1, relays, sharing);
    for (; keys_is_needed(w, sums, m) && s.index < relays->n; s.index++) {
        bool arrives = false;

        keys_set_prefix(w->p, &s, prefix, relays->n, s.index, sharing);
        protocol_set_size(&s, &sharing->shape, NULL);
        s.complete = true;
        for (size_t i = merging->begins[m]; i < merging->begins[m + 1]; i++) {
            uint32_t class = merging->patterns[i];

            if (!keys_is_needed(w, before, class))
                continue;
            if (protocol_is_missing(w->p, 0,
                                    before->patterns.routes[class].lists[0]->numbers[s.index]))
                s.complete = false;
            else
                arrives = true;
        }
        s.from = (struct node){ NODE_RELAY, relays->numbers[s.index] };
        s.id = keys_id_in(w->p, stage, sums->begins[m] + s.index);
        if (arrives && protocol_has(w->p, s.from) && walk_send(w, &s))
            return -1;
    }
    return 0;
}

static int relayed(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                   void *arg, struct hagg_err *err)
{
    enum plan_what what = protocol_what(s->stage);
    const struct protocol_merging *merging = &p->merging[what];
    const struct protocol_sums *sums = &p->sums[what][0];

    for (size_t i = merging->begins[s->pattern]; i < merging->begins[s->pattern + 1]; i++) {
        uint32_t class = merging->patterns[i];
        uint32_t station = sums->patterns.routes[class].lists[0]->numbers[s->index];

        if (sums->n_clients[class] > 0 && !protocol_is_missing(p, 0, station) &&
            term_received(keys_id_of(p, SUMS_ON, what, sums->begins[class] + s->index),
                          s->symbols.first + row, fn, arg, err))
            return -1;
    }
    return 0;
}

struct node protocol_key_hop(const struct protocol *p, uint32_t station)
{
    const struct topology *t = &p->plan->topology;
    const struct topology_list *via = t->n_relays > 0 ? &t->station_via[station - 1] : NULL;

    for (uint32_t u = station + 1; u <= t->n_stations; u++)
        if (!protocol_is_missing(p, 0, u))
            return (struct node){ NODE_STATION, u };
    for (size_t i = 0; via && i < via->n; i++)
        if (!protocol_is_missing(p, 1, via->numbers[i]))
            return (struct node){ NODE_RELAY, via->numbers[i] };
    return via ? (struct node){ NODE_RELAY, 0 } : NODE_THE_FEDERATOR;
}

/* Lists the message with station u's sum of keys, if the stage is that of its destination. A relay
 * passes it on to the federator. */
static int send_keys_on(const struct walk *w, const struct stage *stage, uint32_t u, struct node to)
{
    struct message s = {
        .stage = stage,
        .from = { NODE_STATION, u },
        .to = to,
        .id = keys_id_in(w->p, stage, u - 1),
        .complete = w->p->first_lost == 0 || u < w->p->first_lost,
    };

    protocol_set_size(&s, NULL, NULL);
    if (to.tier == NODE_RELAY && stage->from == NODE_RELAY) {
        s.from = to;
        s.to = NODE_THE_FEDERATOR;
        s.id = keys_id_in(w->p, stage, to.number - 1);
    }
    return s.from.tier == stage->from && s.to.tier == stage->to && to.number > 0 ? walk_send(w, &s)
                                                                                 : 0;
}

/* Partial collusion: keys are added up from station to station, from the first station that has
 * one. The last station sends their total to the federator, through a relay if there are any. The
 * stages of the chain differ in their destination. If stations may be missing, a station may have
 * to send to any later one, or may be the last. */
static int send_chain(const struct walk *w, const struct stage *stage, size_t unit)
{
    const struct topology *t = &w->p->plan->topology;
    uint32_t u = (uint32_t)unit + 1;

    if (!w->all_possible)
        return protocol_is_missing(w->p, 0, u) || w->p->first_keys == 0 || u < w->p->first_keys
                   ? 0
                   : send_keys_on(w, stage, u, protocol_key_hop(w->p, u));
    for (uint32_t v = u + 1; v <= t->n_stations; v++)
        if (send_keys_on(w, stage, u, (struct node){ NODE_STATION, v }))
            return -1;
    for (size_t i = 0; t->n_relays > 0 && i < t->station_via[u - 1].n; i++)
        if (send_keys_on(w, stage, u,
                         (struct node){ NODE_RELAY, t->station_via[u - 1].numbers[i] }))
            return -1;
    return t->n_relays > 0 ? 0 : send_keys_on(w, stage, u, NODE_THE_FEDERATOR);
}

static int chain(struct protocol *p, const struct message *s, uint32_t row, protocol_term_fn *fn,
                 void *arg, struct hagg_err *err)
{
    uint32_t u = s->from.number, before = u - 1;

    while (before > 0 && protocol_is_missing(p, 0, before))
        before--;
    if (before >= p->first_keys && before > 0 &&
        term_received(keys_id_of(p, CHAIN, PLAN_SHARES, before - 1), row, fn, arg, err))
        return -1;
    return p->has_keys[u]
               ? term_received(keys_id_of(p, KEYS, PLAN_SHARES, u - 1), row, fn, arg, err)
               : 0;
}

static int relayed_total(struct protocol *p, const struct message *s, uint32_t row,
                         protocol_term_fn *fn, void *arg, struct hagg_err *err)
{
    uint32_t last = p->plan->topology.n_stations;

    (void)s;
    while (protocol_is_missing(p, 0, last))
        last--;
    return term_received(keys_id_of(p, TOTAL_ON, PLAN_SHARES, last - 1), row, fn, arg, err);
}

#define CLIENT    NODE_CLIENT
#define STATION   NODE_STATION
#define RELAY     NODE_RELAY
#define FEDERATOR NODE_FEDERATOR
#define SHARE     HEADER_SHARE
#define TRANSFER  HEADER_TRANSFER
#define WHOLE     HEADER_VECTOR
#define VECTOR    HEADER_PADDED
#define KEY       HEADER_KEY
#define EITHER    (STAGE_PARTIAL | STAGE_FULL)
#define PARTIAL   STAGE_PARTIAL
#define FULL      STAGE_FULL
#define NONE      STAGE_NO_RELAYS
#define PASS_ON   STAGE_PASSED_ON
#define RESHARE   STAGE_RESHARED
#define ANY       (NONE | PASS_ON | RESHARE)

/* clang-format off */
static const struct stage stages[N_ROWS] = {
    /*                  from     to         record    of      collusion  relays             */
    [SHARES]        = { CLIENT,  STATION,   SHARE,    VECTOR, EITHER,    ANY,     send_shares,    share },
    [KEY_SHARES]    = { CLIENT,  STATION,   SHARE,    KEY,    FULL,      ANY,     send_shares,    share },
    [KEYS]          = { CLIENT,  STATION,   WHOLE,    KEY,    PARTIAL,   ANY,     send_key,       key },
    [SUMS]          = { STATION, FEDERATOR, SHARE,    VECTOR, EITHER,    NONE,    send_sums,      sum },
    [KEY_SUMS]      = { STATION, FEDERATOR, SHARE,    KEY,    FULL,      NONE,    send_sums,      sum },
    [SUMS_ON]       = { STATION, RELAY,     SHARE,    VECTOR, EITHER,    PASS_ON, send_sums,      sum },
    [KEY_SUMS_ON]   = { STATION, RELAY,     SHARE,    KEY,    FULL,      PASS_ON, send_sums,      sum },
    [TRANSFERS]     = { STATION, RELAY,     TRANSFER, VECTOR, EITHER,    RESHARE, keys_send_transfers, keys_transfer },
    [KEY_TRANSFERS] = { STATION, RELAY,     TRANSFER, KEY,    FULL,      RESHARE, keys_send_transfers, keys_transfer },
    [RELAYED]       = { RELAY,   FEDERATOR, SHARE,    VECTOR, EITHER,    PASS_ON, send_relayed,   relayed },
    [KEY_RELAYED]   = { RELAY,   FEDERATOR, SHARE,    KEY,    FULL,      PASS_ON, send_relayed,   relayed },
    [RESHARED]      = { RELAY,   FEDERATOR, SHARE,    VECTOR, EITHER,    RESHARE, keys_send_reshared,  keys_reshared },
    [KEY_RESHARED]  = { RELAY,   FEDERATOR, SHARE,    KEY,    FULL,      RESHARE, keys_send_reshared,  keys_reshared },
    [CHAIN]         = { STATION, STATION,   WHOLE,    KEY,    PARTIAL,   ANY,     send_chain,     chain },
    [TOTAL]         = { STATION, FEDERATOR, WHOLE,    KEY,    PARTIAL,   NONE,    send_chain,     chain },
    [TOTAL_ON]      = { STATION, RELAY,     WHOLE,    KEY,    PARTIAL,   PASS_ON | RESHARE, send_chain, chain },
    [TOTAL_RELAYED] = { RELAY,   FEDERATOR, WHOLE,    KEY,    PARTIAL,   PASS_ON | RESHARE, send_chain, relayed_total },
};
/* clang-format on */

/* A unit is a client of the plan, a sum of the sender's tier or, for keys in the clear sent by
 * stations or relays, a station. */
static size_t units(const struct protocol *p, const struct stage *s)
{
    const struct topology *t = &p->plan->topology;

    return s->from == NODE_CLIENT     ? t->n_clients
           : s->kind == HEADER_VECTOR ? t->n_stations
                                      : sums_of(p, s, s->from == NODE_RELAY)->patterns.n;
}

static uint64_t size(const struct protocol *p, const struct stage *s)
{
    const struct topology *t = &p->plan->topology;
    const struct protocol_sums *sums = p->sums[protocol_what(s)];

    if (s->kind == HEADER_VECTOR)
        return s->from == NODE_RELAY ? t->n_relays : t->n_stations;
    if (s->from == NODE_RELAY)
        return sums[1].begins[sums[1].patterns.n];
    return sums[0].begins[sums[0].patterns.n] * (s->kind == HEADER_TRANSFER ? t->n_relays : 1);
}

const struct protocol_table protocol_keys = { stages, N_ROWS, size, units, protocol_find_keys };
