#include "protocol/protocol_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/protocol_aligned.h"

/* The clients of the plan, sorted by a number that each of them has. */
struct sorted {
    size_t *begins;    /* by number, and the end: index in clients */
    uint32_t *clients; /* ascending for each number */
};

/* A set of clients. Pattern is that of a sum, or the last station whose keys are in a sum. */
struct client_set {
    bool is_set;
    enum plan_what what;
    size_t tier, pattern;
};
#define ALL_CLIENTS SIZE_MAX

struct protocol_headers {
    const struct protocol *p;
    bool has_ids;
    struct header common; /* to all records */
    struct header
        header; /* the last result, whose memory belongs to what follows, or to the plan */
    struct header_tier route[PLAN_TIERS];
    struct header_range own, *clients, *dealers, *stations, *basis;
    size_t n_clients, n_dealers, n_basis;
    struct client_set set; /* clients is this set */
    struct sorted by_pattern[2][PLAN_TIERS];
};

int protocol_scheme(const struct protocol *p, size_t tier, size_t n, uint32_t index,
                    struct header_scheme *scheme, struct hagg_err *err)
{
    const struct protocol_sharing *sharing = protocol_shape(p, tier, n, err);

    if (!sharing)
        return -1;
    *scheme = (struct header_scheme){
        .n = (uint32_t)n,
        .k = sharing->k,
        .z = sharing->z,
        .index = index,
        .has_point = sharing->shape.uses_points != 0,
    };
    if (scheme->has_point)
        scheme->point = index + (uint64_t)1;
    memcpy(scheme->name, p->plan->topology.scheme, sizeof scheme->name);
    return 0;
}

struct protocol_place protocol_place(const struct protocol *p, const struct message *s)
{
    bool from_relay = s->stage->from == NODE_RELAY;
    const struct plan_route *way =
        &p->sums[protocol_what(s->stage)][from_relay].patterns.routes[s->pattern];
    size_t tier = from_relay || s->stage->to == NODE_RELAY;

    return (struct protocol_place){
        .tier = tier,
        .lists = way->lists + (from_relay ? 0 : tier),
        .n_route = tier == 0 ? way->n : 1,
        .n_layout = from_relay && p->plan->topology.transform,
        .n_source = way->lists[0]->n,
    };
}

static void add_number(struct header_range *ranges, size_t *n, uint32_t number)
{
    if (*n > 0 && ranges[*n - 1].last + 1 == number)
        ranges[*n - 1].last = number;
    else
        ranges[(*n)++] = (struct header_range){ number, number };
}

static bool takes_part(const struct protocol_headers *hs, uint32_t client)
{
    return protocol_has(hs->p, (struct node){ NODE_CLIENT, client });
}

/* Sorts the clients by pattern. */
static int sort_clients(struct sorted *s, const struct protocol *p, enum plan_what what,
                        size_t tier, struct hagg_err *err)
{
    const struct topology *t = &p->plan->topology;
    const struct plan_patterns *patterns = &p->sums[what][tier].patterns;

    if (s->begins)
        return 0;
    s->begins = calloc(patterns->n + 2, sizeof *s->begins);
    s->clients = calloc(t->n_clients + 1, sizeof *s->clients);
    if (!s->begins || !s->clients)
        return err_errno(err, "%s", p->plan->name);
    for (size_t i = 0; i < t->n_clients; i++)
        s->begins[patterns->of_group[t->clients[i].group] + 2]++;
    for (size_t i = 2; i < patterns->n + 2; i++)
        s->begins[i] += s->begins[i - 1];
    for (size_t i = 0; i < t->n_clients; i++)
        s->clients[s->begins[patterns->of_group[t->clients[i].group] + 1]++] = t->clients[i].number;
    return 0;
}

/* The clients of a sum that stations or relays make. */
static int list_pattern(struct protocol_headers *hs, const struct client_set *set,
                        struct hagg_err *err)
{
    struct sorted *s = &hs->by_pattern[set->what][set->tier];

    if (sort_clients(s, hs->p, set->what, set->tier, err))
        return -1;
    for (size_t i = s->begins[set->pattern]; i < s->begins[set->pattern + 1]; i++)
        if (takes_part(hs, s->clients[i]))
            add_number(hs->clients, &hs->n_clients, s->clients[i]);
    return 0;
}

/* All clients, or those whose keys get to this station. */
static void list_keys(struct protocol_headers *hs, size_t last)
{
    const struct topology *t = &hs->p->plan->topology;

    for (size_t i = 0; i < t->n_clients; i++)
        if (takes_part(hs, t->clients[i].number) &&
            (last == ALL_CLIENTS || plan_key_station(&t->groups[t->clients[i].group]) <= last))
            add_number(hs->clients, &hs->n_clients, t->clients[i].number);
}

static bool is_aligned(const struct protocol_headers *hs)
{
    return hs->p->plan->topology.aligned;
}

static struct client_set set_of(const struct protocol_headers *hs, const struct message *s)
{
    struct client_set set = { .is_set = true, .pattern = ALL_CLIENTS };

    if (is_aligned(hs) || (s->stage->kind == HEADER_VECTOR && s->stage->from == NODE_RELAY))
        return set;
    if (s->stage->kind == HEADER_VECTOR) {
        set.pattern = s->from.number;
        set.what = PLAN_REACHES; /* keys in the clear */
        return set;
    }
    set.what = protocol_what(s->stage);
    set.tier = s->stage->from == NODE_RELAY;
    set.pattern = s->pattern;
    return set;
}

/* Lists the clients of the message, unless they are listed already. */
static int set_clients(struct protocol_headers *hs, const struct message *s, struct hagg_err *err)
{
    struct header *h = &hs->header;
    struct client_set set = set_of(hs, s);

    if (s->stage->from == NODE_CLIENT) {
        hs->own = (struct header_range){ s->from.number, s->from.number };
        h->clients = &hs->own;
        h->n_clients = 1;
        return 0;
    }
    if (!hs->set.is_set || hs->set.what != set.what || hs->set.tier != set.tier ||
        hs->set.pattern != set.pattern) {
        hs->set = (struct client_set){ 0 };
        hs->n_clients = 0;
        if (set.pattern == ALL_CLIENTS || set.what == PLAN_REACHES)
            list_keys(hs, set.pattern);
        else if (list_pattern(hs, &set, err))
            return -1;
        hs->set = set;
    }
    h->clients = hs->clients;
    h->n_clients = hs->n_clients;
    return 0;
}

/* A share or transfer of protocol keys. */
static int set_sharing(struct protocol_headers *hs, const struct message *s, struct hagg_err *err)
{
    const struct protocol_place at = protocol_place(hs->p, s);
    struct header *h = &hs->header;

    for (size_t i = 0; i < at.n_route; i++) {
        hs->route[i] =
            (struct header_tier){ .numbers = at.lists[i]->numbers, .n_numbers = at.lists[i]->n };
        snprintf(hs->route[i].name, sizeof hs->route[i].name, "%s", plan_tier_name(at.tier + i));
    }
    h->n_route = at.n_route;
    h->layout = (uint32_t *)(uintptr_t)s->cuts; /* only read */
    h->n_layout = at.n_layout;
    h->has_mix = h->has_id && (at.n_layout > 0 || h->kind == HEADER_TRANSFER);
    if (h->kind == HEADER_TRANSFER &&
        protocol_scheme(hs->p, 0, at.n_source, s->source, &h->source, err))
        return -1;
    return protocol_scheme(hs->p, at.tier, at.lists[0]->n, s->index, &h->scheme, err);
}

/* A share, mask or sum of protocol aligned. */
static void set_value(struct protocol_headers *hs, const struct message *s)
{
    const struct plan_aligned *a = hs->p->plan->aligned;
    const struct blocks *b = &a->blocks[s->index];
    bool from_client = s->stage->from == NODE_CLIENT;
    struct header *h = &hs->header;

    plan_aligned_describe(hs->p->plan, s->index, h);
    hs->route[0] = plan_aligned_route(hs->p->plan);
    h->n_route = 1;
    h->blocks = from_client ? &a->parts[s->class] : (uint32_t *)(uintptr_t)b->counts;
    h->n_blocks = from_client ? 1 : b->n_counts;
    if (h->secret == HEADER_MASK) {
        h->chunks = a->chunks;
        hs->own = (struct header_range){ s->from.number, s->from.number };
        h->dealers = &hs->own;
        h->n_dealers = 1;
    }
}

static bool has_mask(const struct protocol_headers *hs, uint32_t holder)
{
    return hs->n_dealers > 0 && !hs->p->plan->aligned->bare[holder];
}

static bool has_clients(const struct protocol_headers *hs, uint32_t holder)
{
    return protocol_aligned_has_clients(hs->p, hs->p->plan->aligned->stations.numbers[holder]);
}

/* Lists the stations whose sums a relay combines. */
static void set_summand(struct protocol_headers *hs, const struct message *s, bool *masks,
                        bool *clients)
{
    const struct plan_aligned *a = hs->p->plan->aligned;
    struct header *h = &hs->header;

    h->stations = hs->stations;
    h->basis = hs->basis;
    h->n_basis = hs->n_basis;
    for (uint32_t i = 0; i < a->sharing.n; i++) {
        uint32_t station = a->stations.numbers[i];

        if (hs->p->aligned->relays.of[i] != s->from.number ||
            protocol_is_missing(hs->p, 0, station) || protocol_is_idle(hs->p, station))
            continue;
        add_number(hs->stations, &h->n_stations, station);
        *masks = *masks || has_mask(hs, i);
        *clients = *clients || has_clients(hs, i);
    }
}

/* Returns 1 if one of these clients shares with the station, 0 if none does, and -1 on failure. */
static int have_shares(struct protocol_headers *hs, const struct rangeset *clients,
                       uint32_t station, struct hagg_err *err)
{
    const struct plan_patterns *classes = &hs->p->sums[PLAN_SHARES][0].patterns;
    struct sorted *s = &hs->by_pattern[PLAN_SHARES][0];

    if (sort_clients(s, hs->p, PLAN_SHARES, 0, err))
        return -1;
    for (size_t class = 0; class < classes->n; class ++) {
        if (protocol_aligned_index(hs->p, class, station) == classes->routes[class].lists[0]->n)
            continue;
        for (size_t i = s->begins[class]; i < s->begins[class + 1]; i++)
            if (rangeset_overlap(clients, s->clients[i], s->clients[i]) > 0)
                return 1;
    }
    return 0;
}

/* The same for a sum or a summand of the clients and the stations that the record shows. */
static int shows_vector(struct protocol_headers *hs, const struct message *s,
                        const struct header *shown, struct hagg_err *err)
{
    const struct plan_aligned *a = hs->p->plan->aligned;
    struct rangeset clients = { .ranges = shown->clients, .n = shown->n_clients };
    int found = 0;

    if (shown->kind != HEADER_SUMMAND)
        return have_shares(hs, &clients, a->stations.numbers[s->index], err);
    for (size_t i = 0; i < shown->n_stations; i++)
        for (uint64_t u = shown->stations[i].first; u <= shown->stations[i].last && found == 0; u++)
            found = have_shares(hs, &clients, (uint32_t)u, err);
    return found;
}

/* Every station adds other shares, so a sum has no identifier of shares, but one of masks. */
static int set_aligned(struct protocol_headers *hs, const struct message *s,
                       const struct header *shown, struct hagg_err *err)
{
    struct header *h = &hs->header;
    bool summand = h->kind == HEADER_SUMMAND;
    bool sum = summand || (s->stage->from != NODE_CLIENT && h->secret != HEADER_MASK);
    bool masks = !summand && sum && has_mask(hs, s->index);
    bool clients = !summand && (!sum || has_clients(hs, s->index));
    int vector;

    if (summand)
        set_summand(hs, s, &masks, &clients);
    else
        set_value(hs, s);
    if (!sum)
        return 0;
    h->has_mix = h->has_id && masks;
    h->has_id = false;
    h->dealers = hs->dealers;
    h->n_dealers = hs->n_dealers;
    vector = shown ? shows_vector(hs, s, shown, err) : clients;
    if (vector == 0)
        header_forget_vector(h);
    return vector < 0 ? -1 : 0;
}

/* Replaces sets and identifiers by those of a record. */
static void copy_sets(struct header *h, const struct header *shown)
{
    h->has_id = shown->has_id;
    h->has_mix = shown->has_mix;
    h->clients = shown->clients;
    h->n_clients = shown->n_clients;
    h->dealers = shown->dealers;
    h->n_dealers = shown->n_dealers;
    h->stations = shown->stations;
    h->n_stations = shown->n_stations;
    h->basis = shown->basis;
    h->n_basis = shown->n_basis;
}

const struct header *protocol_headers_of(struct protocol_headers *hs, const struct message *s,
                                         const struct header *shown, struct hagg_err *err)
{
    struct header *h = &hs->header;

    *h = hs->common;
    h->kind = s->stage->kind;
    h->secret = s->stage->secret;
    h->from = node_in_header(s->from);
    h->to = node_in_header(s->to);
    h->symbols = s->symbols;
    h->seed = s->seed;
    h->has_id = hs->has_ids;
    h->route = hs->route;
    if (h->secret == HEADER_KEY || h->secret == HEADER_MASK)
        header_forget_vector(h);
    if (is_aligned(hs) ? set_aligned(hs, s, shown, err)
                       : h->kind != HEADER_VECTOR && set_sharing(hs, s, err))
        return NULL;
    if (shown)
        copy_sets(h, shown);
    else if (h->secret != HEADER_MASK && set_clients(hs, s, err))
        return NULL;
    return h;
}

static void set_common(struct header *h, const struct plan *p, const struct protocol_vector *v)
{
    *h = (struct header){
        .has_round = v->has_round,
        .round = v->round,
        .length = v->length,
        .has_shape = v->has_shape,
        .shape = v->shape,
        .n_shape = v->n_shape,
        .samples = p->topology.samples,
        .has_plan = true,
    };
    memcpy(h->field, p->field->spec, sizeof h->field);
    memcpy(h->type, v->type, sizeof h->type);
    memcpy(h->plan, p->digest, sizeof h->plan);
    if (v->type[0] == 'f')
        h->quant = p->topology.quant;
}

/* Lists the dealers whose masks are in the sums, and the stations that the total is decoded from if
 * relays combine. */
static int list_stations(struct protocol_headers *hs, struct hagg_err *err)
{
    const struct topology *t = &hs->p->plan->topology;
    struct rangeset set = { 0 };
    int status = 0;

    for (size_t i = 0; i < t->dealers.n && status == 0; i++)
        if (!protocol_is_missing(hs->p, 0, t->dealers.numbers[i]))
            status = rangeset_add(&set, t->dealers.numbers[i], t->dealers.numbers[i], err);
    hs->dealers = set.ranges;
    hs->n_dealers = set.n;
    set = (struct rangeset){ 0 };
    if (status == 0)
        status = protocol_basis(hs->p, &set, err);
    hs->basis = set.ranges;
    hs->n_basis = set.n;
    return status;
}

struct protocol_headers *protocol_headers_new(const struct protocol *p,
                                              const struct protocol_vector *v, struct hagg_err *err)
{
    const struct topology *t = &p->plan->topology;
    struct protocol_headers *hs = calloc(1, sizeof *hs);

    if (!hs) {
        err_errno(err, "%s", p->plan->name);
        return NULL;
    }
    hs->p = p;
    hs->has_ids = v->has_ids;
    hs->clients = calloc(t->n_clients + 1, sizeof *hs->clients);
    hs->stations = calloc(t->n_stations + (size_t)1, sizeof *hs->stations);
    set_common(&hs->common, p->plan, v);
    if (!hs->clients || !hs->stations)
        err_errno(err, "%s", p->plan->name);
    else if (!t->aligned || list_stations(hs, err) == 0)
        return hs;
    protocol_headers_free(hs);
    return NULL;
}

void protocol_headers_free(struct protocol_headers *hs)
{
    if (!hs)
        return;
    for (size_t what = 0; what < 2; what++)
        for (size_t tier = 0; tier < PLAN_TIERS; tier++) {
            free(hs->by_pattern[what][tier].begins);
            free(hs->by_pattern[what][tier].clients);
        }
    free(hs->clients);
    free(hs->dealers);
    free(hs->stations);
    free(hs->basis);
    free(hs);
}
