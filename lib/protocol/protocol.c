#include "protocol/protocol.h"

#include <stdlib.h>
#include <string.h>

#include "protocol/protocol_state.h"

static bool is_in(const struct rangeset *set, uint32_t number)
{
    return set && rangeset_overlap(set, number, number) > 0;
}

bool protocol_is_missing(const struct protocol *p, size_t tier, uint32_t number)
{
    return is_in(p->presence.missing[tier], number);
}

bool protocol_has(const struct protocol *p, struct node node)
{
    switch (node.tier) {
    case NODE_CLIENT:
        return !p->presence.clients || is_in(p->presence.clients, node.number);
    case NODE_STATION:
        return !protocol_is_missing(p, 0, node.number);
    case NODE_RELAY:
        return !protocol_is_missing(p, 1, node.number);
    default:
        return true;
    }
}

uint32_t protocol_courier(const struct protocol *p, const struct topology_group *g,
                          uint32_t station)
{
    return topology_courier(g, station, p->presence.missing[0]);
}

bool protocol_arrives(const struct protocol *p, const struct message *s)
{
    return protocol_has(p, s->to) &&
           (s->courier == 0 || protocol_has(p, (struct node){ NODE_STATION, s->courier }));
}

const struct plan *protocol_plan(const struct protocol *p)
{
    return p->plan;
}

static bool occurs(const struct topology *t, const struct stage *s)
{
    unsigned relays = t->n_relays == 0 ? STAGE_NO_RELAYS
                      : t->transform   ? STAGE_RESHARED
                                       : STAGE_PASSED_ON;

    return (s->collusion & (t->full ? STAGE_FULL : STAGE_PARTIAL)) != 0 &&
           (s->relays & relays) != 0;
}

static const struct protocol_table *table_of(const struct topology *t)
{
    return t->aligned ? &protocol_aligned : &protocol_keys;
}

const struct stage *protocol_next_stage(const struct topology *t, const struct stage *after)
{
    const struct protocol_table *table = table_of(t);
    const struct stage *s = after ? after + 1 : table->stages,
                       *end = table->stages + table->n_stages;

    while (s < end && !occurs(t, s))
        s++;
    return s < end ? s : NULL;
}

/* Returns true if clients share or send keys. */
static bool has_keys(const struct protocol *p)
{
    return !p->plan->topology.aligned;
}

static int count_participants(struct protocol *p, struct hagg_err *err)
{
    const struct topology *t = &p->plan->topology;

    p->n_taking_part = calloc(t->n_groups + 1, sizeof *p->n_taking_part);
    p->has_keys = calloc(t->n_stations + (size_t)1, sizeof *p->has_keys);
    p->sources = calloc(2 * (size_t)t->n_stations, sizeof *p->sources);
    if (!p->n_taking_part || !p->has_keys || !p->sources)
        return err_errno(err, "%s", p->plan->name);
    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t group = t->clients[i].group;

        if (!protocol_has(p, (struct node){ NODE_CLIENT, t->clients[i].number }))
            continue;
        p->n_taking_part[group]++;
        if (!t->full && has_keys(p))
            p->has_keys[plan_key_station(&t->groups[group])] = true;
    }
    for (uint32_t u = t->n_stations; u > 0; u--)
        if (p->has_keys[u])
            *(protocol_is_missing(p, 0, u) ? &p->first_lost : &p->first_keys) = u;
    return 0;
}

static int sums_new(struct protocol *p, enum plan_what what, size_t tier, struct hagg_err *err)
{
    struct protocol_sums *sums = &p->sums[what][tier];

    if (plan_patterns_new(&sums->patterns, p->plan, what, tier, err))
        return -1;
    sums->begins = calloc(sums->patterns.n + 1, sizeof *sums->begins);
    sums->n_clients = calloc(sums->patterns.n + 1, sizeof *sums->n_clients);
    if (!sums->begins || !sums->n_clients)
        return err_errno(err, "%s", p->plan->name);
    for (size_t i = 0; i < sums->patterns.n; i++)
        sums->begins[i + 1] = sums->begins[i] + sums->patterns.routes[i].lists[0]->n;
    for (size_t g = 0; g < p->plan->topology.n_groups; g++)
        sums->n_clients[sums->patterns.of_group[g]] += p->n_taking_part[g];
    return 0;
}

/* Lists the stations' patterns by the relays' sum that they belong to. */
static int merging_new(struct protocol *p, enum plan_what what, struct hagg_err *err)
{
    const struct plan_patterns *from = &p->sums[what][0].patterns, *to = &p->sums[what][1].patterns;
    struct protocol_merging *m = &p->merging[what];
    uint32_t *goes_to = calloc(from->n + 1, sizeof *goes_to);

    m->begins = calloc(to->n + 2, sizeof *m->begins);
    m->patterns = calloc(from->n + 1, sizeof *m->patterns);
    if (!goes_to || !m->begins || !m->patterns) {
        free(goes_to);
        return err_errno(err, "%s", p->plan->name);
    }
    for (size_t g = 0; g < p->plan->topology.n_groups; g++)
        goes_to[from->of_group[g]] = to->of_group[g];
    for (size_t i = 0; i < from->n; i++)
        m->begins[goes_to[i] + 2]++;
    for (size_t i = 2; i < to->n + 2; i++)
        m->begins[i] += m->begins[i - 1];
    for (size_t i = 0; i < from->n; i++)
        m->patterns[m->begins[goes_to[i] + 1]++] = (uint32_t)i;
    free(goes_to);
    return 0;
}

static int fill(struct protocol *p, struct hagg_err *err)
{
    const struct topology *t = &p->plan->topology;
    uint32_t n_nodes[PLAN_TIERS] = { t->n_stations, t->n_relays };

    if (count_participants(p, err))
        return -1;
    for (size_t tier = 0; tier < PLAN_TIERS; tier++) {
        p->sharings[tier] = calloc(n_nodes[tier] + (size_t)1, sizeof *p->sharings[tier]);
        if (!p->sharings[tier])
            return err_errno(err, "%s", p->plan->name);
    }
    for (enum plan_what what = PLAN_SHARES;
         what <= (t->full && has_keys(p) ? PLAN_KEYS : PLAN_SHARES); what++) {
        for (size_t tier = 0; tier < (has_keys(p) ? plan_tiers(p->plan) : 1); tier++)
            if (sums_new(p, what, tier, err))
                return -1;
        if (has_keys(p) && plan_tiers(p->plan) > 1 && merging_new(p, what, err))
            return -1;
    }
    if (t->aligned && t->n_relays > 0 && protocol_relays_new(p, err))
        return -1;
    if (p->presence.stand_by && protocol_has_stand_by(p->plan) && protocol_stand_by_new(p, err))
        return -1;
    p->first_ids = calloc(p->table->n_stages + 1, sizeof *p->first_ids);
    if (!p->first_ids)
        return err_errno(err, "%s", p->plan->name);
    for (size_t i = 0; i < p->table->n_stages; i++) {
        const struct stage *s = &p->table->stages[i];

        p->first_ids[i + 1] = p->first_ids[i] + (occurs(t, s) ? p->table->size(p, s) : 0);
    }
    return 0;
}

struct protocol *protocol_open(const struct plan *plan, const struct protocol_presence *presence,
                               struct hagg_err *err)
{
    struct protocol *p = calloc(1, sizeof *p);

    if (!p) {
        err_errno(err, "%s", plan->name);
        return NULL;
    }
    p->plan = plan;
    if (presence)
        p->presence = *presence;
    p->table = table_of(&plan->topology);
    if (plan->topology.aligned && !(p->aligned = calloc(1, sizeof *p->aligned)))
        err_errno(err, "%s", plan->name);
    else if (fill(p, err) == 0)
        return p;
    protocol_free(p);
    return NULL;
}

void protocol_free(struct protocol *p)
{
    if (!p)
        return;
    for (size_t tier = 0; tier < PLAN_TIERS; tier++) {
        size_t n = tier == 0 ? p->plan->topology.n_stations : p->plan->topology.n_relays;

        for (size_t i = 0; p->sharings[tier] && i <= n; i++) {
            sharing_free(&p->sharings[tier][i].sharing);
            matrix_free(&p->sharings[tier][i].inverse);
            free(p->sharings[tier][i].inverse_of);
        }
        free(p->sharings[tier]);
    }
    for (size_t what = 0; what < 2; what++) {
        for (size_t tier = 0; tier < PLAN_TIERS; tier++) {
            plan_patterns_free(&p->sums[what][tier].patterns);
            free(p->sums[what][tier].begins);
            free(p->sums[what][tier].n_clients);
        }
        free(p->merging[what].begins);
        free(p->merging[what].patterns);
    }
    protocol_aligned_free(p);
    free(p->sources);
    free(p->first_ids);
    free(p->n_taking_part);
    free(p->has_keys);
    free(p);
}

/* Lists the messages of a client. */
static int send_from_client(const struct walk *w, size_t client)
{
    const struct topology *t = &w->p->plan->topology;

    for (const struct stage *s = NULL; (s = protocol_next_stage(t, s));)
        if (s->from == NODE_CLIENT && s->send(w, s, client))
            return -1;
    return 0;
}

/* Lists the messages of all other nodes. */
static int send_from_others(const struct walk *w)
{
    const struct protocol *p = w->p;

    for (const struct stage *s = NULL; (s = protocol_next_stage(&p->plan->topology, s));)
        for (size_t unit = 0; s->from != NODE_CLIENT && unit < p->table->units(p, s); unit++)
            if (s->send(w, s, unit))
                return -1;
    return 0;
}

static bool takes_part(const struct protocol *p, size_t client)
{
    return protocol_has(p, (struct node){ NODE_CLIENT, p->plan->topology.clients[client].number });
}

int protocol_each(const struct protocol *p, protocol_message_fn *fn, void *arg,
                  struct hagg_err *err)
{
    struct walk w = { .p = p, .fn = fn, .arg = arg, .err = err };

    for (size_t i = 0; i < p->plan->topology.n_clients; i++)
        if (takes_part(p, i) && send_from_client(&w, i))
            return -1;
    return send_from_others(&w);
}

struct group_walk {
    protocol_group_fn *fn;
    void *arg;
    uint64_t n;
};

static int pass_on(void *walk, const struct message *s, struct hagg_err *err)
{
    struct group_walk *g = walk;

    return g->fn(g->arg, s, g->n, err);
}

int protocol_each_group(const struct protocol *p, protocol_group_fn *fn, void *arg,
                        struct hagg_err *err)
{
    const struct topology *t = &p->plan->topology;
    struct group_walk g = { fn, arg, 1 };
    struct walk w = { .p = p, .fn = pass_on, .arg = &g, .err = err };
    bool *listed = calloc(t->n_groups + 1, sizeof *listed);
    int status = listed ? 0 : err_errno(err, "%s", p->plan->name);

    for (size_t i = 0; i < t->n_clients && status == 0; i++) {
        uint32_t group = t->clients[i].group;

        if (listed[group] || !takes_part(p, i))
            continue;
        listed[group] = true;
        g.n = p->n_taking_part[group];
        status = send_from_client(&w, i);
    }
    free(listed);
    g.n = 1;
    return status == 0 ? send_from_others(&w) : -1;
}

int protocol_made_of(struct protocol *p, const struct message *s, uint32_t row,
                     protocol_term_fn *fn, void *arg, struct hagg_err *err)
{
    return s->stage->made_of(p, s, row, fn, arg, err);
}

uint64_t protocol_n_ids(const struct protocol *p)
{
    return p->first_ids[p->table->n_stages];
}

uint64_t protocol_symbols(const struct message *s, uint64_t length)
{
    uint64_t n_rows = s->n_rows;

    for (size_t i = 0; i < 2 - s->n_joined; i++)
        length = length / s->cuts[i] + (length % s->cuts[i] > 0);
    for (size_t i = 2 - s->n_joined; i < 2; i++)
        n_rows /= s->cuts[i];
    return n_rows * length;
}

uint32_t protocol_n_classes(const struct protocol *p)
{
    const struct topology *t = &p->plan->topology;
    uint32_t n = (uint32_t)p->sums[PLAN_SHARES][0].patterns.n;

    if (!has_keys(p))
        return n;
    return n + (t->full ? (uint32_t)p->sums[PLAN_KEYS][0].patterns.n : t->n_stations);
}

struct protocol_secret protocol_class_holds(const struct protocol *p, uint32_t class)
{
    bool vector = class < p->sums[PLAN_SHARES][0].patterns.n;

    return (struct protocol_secret){ .vector = vector, .key = has_keys(p) };
}

/* Keys in the clear are in the same class if they are sent to the same station. */
struct protocol_classes protocol_classes_of(const struct protocol *p, uint32_t group)
{
    const struct plan_patterns *shares = &p->sums[PLAN_SHARES][0].patterns;
    const struct plan *plan = p->plan;

    if (!has_keys(p))
        return (struct protocol_classes){ shares->of_group[group], PROTOCOL_NO_CLASS };
    return (struct protocol_classes){
        .vector = shares->of_group[group],
        .key = (uint32_t)shares->n + (plan->topology.full
                                          ? p->sums[PLAN_KEYS][0].patterns.of_group[group]
                                          : plan_key_station(&plan->topology.groups[group]) - 1),
    };
}

static const struct protocol_sums *sums_of(const struct protocol *p, const struct protocol_sum *sum)
{
    return &p->sums[sum->what][sum->tier];
}

/* With protocol aligned there is one sum, of all clients that take part, over all stations. */
size_t protocol_n_sums(const struct protocol *p, enum plan_what what, size_t tier)
{
    if (!has_keys(p))
        return what == PLAN_SHARES && tier == 0;
    return p->sums[what][tier].patterns.n;
}

bool protocol_find_sum(const struct protocol *p, const struct header *h, struct protocol_sum *sum)
{
    sum->what = h->secret == HEADER_KEY ? PLAN_KEYS : PLAN_SHARES;
    if (!has_keys(p)) {
        sum->tier = sum->pattern = 0;
        return h->n_segments > 0;
    }
    for (sum->tier = 0; sum->tier < plan_tiers(p->plan); sum->tier++) {
        sum->pattern = plan_patterns_find(&sums_of(p, sum)->patterns, h);
        if (sum->pattern < protocol_n_sums(p, sum->what, sum->tier))
            return true;
    }
    return false;
}

uint64_t protocol_sum_clients(const struct protocol *p, const struct protocol_sum *sum)
{
    uint64_t n = 0;

    for (size_t i = 0; !has_keys(p) && i < sums_of(p, sum)->patterns.n; i++)
        n += sums_of(p, sum)->n_clients[i];
    return has_keys(p) ? sums_of(p, sum)->n_clients[sum->pattern] : n;
}

bool protocol_sum_has(const struct protocol *p, const struct protocol_sum *sum, uint32_t group)
{
    return !has_keys(p) || sums_of(p, sum)->patterns.of_group[group] == sum->pattern;
}

const struct topology_list *protocol_sum_holders(const struct protocol *p,
                                                 const struct protocol_sum *sum)
{
    return has_keys(p) ? sums_of(p, sum)->patterns.routes[sum->pattern].lists[0]
                       : &p->plan->aligned->stations;
}

const struct topology_list *protocol_new_holders(const struct protocol *p, const struct message *s)
{
    return p->sums[protocol_what(s->stage)][0].patterns.routes[s->pattern].lists[1];
}

uint32_t protocol_station_before(const struct protocol *p, enum plan_what what, uint32_t group,
                                 uint32_t relay)
{
    const struct plan_patterns *patterns = &p->sums[what][0].patterns;
    const struct plan_route *route = &patterns->routes[patterns->of_group[group]];
    size_t i = 0;

    while (i + 1 < route->lists[1]->n && route->lists[1]->numbers[i] != relay)
        i++;
    return route->lists[0]->numbers[i];
}

uint32_t protocol_first_client(const struct protocol *p, enum plan_what what, struct node node)
{
    const struct topology *t = &p->plan->topology;
    bool in_clear = what == PLAN_KEYS && !t->full;

    if (what == PLAN_KEYS && !has_keys(p))
        return 0;
    for (size_t i = 0; i < t->n_clients; i++) {
        const struct topology_group *g = &t->groups[t->clients[i].group];
        struct plan_route route;

        if (!protocol_has(p, (struct node){ NODE_CLIENT, t->clients[i].number }))
            continue;
        plan_route(p->plan, g, what, &route);
        if (node.number == 0 ||
            (in_clear ? node.tier == NODE_STATION && plan_key_station(g) <= node.number
                      : topology_list_has(route.lists[node.tier - NODE_STATION], node.number)))
            return t->clients[i].number;
    }
    return 0;
}
