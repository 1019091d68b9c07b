#include "cost/count/numbers.h"

#include <stdlib.h>

#include "cost/count/draws.h"
#include "plan/plan_aligned.h"
#include "sharing/masks.h"

bool numbers_suffice(const struct uniform *u)
{
    const struct topology *t = &u->plan->topology;

    return u->n_stations >= topology_fewest(t, 0);
}

/* The sharings of stations and, with transform, of relays. */
struct sharings {
    struct hagg_scheme_shape shapes[PLAN_TIERS];
    struct scheme_prefixes prefixes[PLAN_TIERS];
    uint32_t k[PLAN_TIERS];
};

static int find_sharings(const struct uniform *u, struct sharings *s, struct hagg_err *err)
{
    const struct plan *p = u->plan;
    uint32_t z;

    *s = (struct sharings){ 0 };
    if (plan_prefixes(p, 0, u->n_stations, &s->k[0], &z, &s->shapes[0], &s->prefixes[0], err) ||
        (p->topology.transform &&
         plan_prefixes(p, 1, u->n_relays, &s->k[1], &z, &s->shapes[1], &s->prefixes[1], err)))
        return -1;
    return 0;
}

int numbers_check_scheme(const struct uniform *u, struct hagg_err *why)
{
    struct sharings s;

    return find_sharings(u, &s, why);
}

/* The number of messages of a stage of clients, or of keys in the clear. */
static uint64_t count(const struct uniform *u, const struct stage *s)
{
    const struct topology *t = &u->plan->topology;
    bool is_whole = s->kind == HEADER_VECTOR;

    if (s->from == NODE_CLIENT)
        return t->n_clients * (is_whole ? 1 : (uint64_t)u->n_stations);
    return s->to == NODE_STATION ? t->n_stations - 1 : 1;
}

/* Random vectors of a stage of clients: of shares, and of keys. */
static void add_draws(struct sheet *sheet, const struct uniform *u, const struct message *s,
                      uint32_t n_randoms, uint64_t length)
{
    uint64_t n_clients = u->plan->topology.n_clients;

    if (s->stage->from == NODE_CLIENT && s->stage->secret == HEADER_KEY)
        draws_add_keys(sheet, n_clients, length);
    if (s->stage->from == NODE_CLIENT && s->stage->kind == HEADER_SHARE)
        draws_add_rows(sheet, s, n_clients, n_randoms, length);
}

/* Adds a stage in which holders send their shares of sums, or shares of these, holder by holder: in
 * the worst case they do not send the same. */
static void add_sums(struct sheet *sheet, const struct uniform *u, uint64_t length, bool worst,
                     const struct stage *stage, const struct sharings *s)
{
    bool transfers = stage->kind == HEADER_TRANSFER, by_relays = stage->from == NODE_RELAY;
    size_t tier = by_relays && u->plan->topology.transform;
    uint32_t n = by_relays ? u->n_relays : u->n_stations;
    const struct hagg_scheme_prefix *prefix = scheme_prefix_for(&s->prefixes[tier], n);
    uint32_t n_sending = transfers && !worst ? prefix->holders : n;
    uint64_t n_each = (by_relays ? 1 : u->n_patterns) * (transfers ? u->n_relays : 1);

    for (uint32_t i = 0; i < n_sending; i++) {
        struct message each = { .stage = stage };

        if (worst)
            prefix =
                protocol_worst_prefix(&u->plan->topology, &s->prefixes[tier], n, n - s->k[tier], i);
        if (prefix->symbols < s->shapes[tier].symbols)
            each.symbols.end = prefix->symbols;
        protocol_set_size(&each, &s->shapes[0], &s->shapes[1]);
        sheet_add_messages(sheet, &each, n_each, length);
        if (transfers)
            draws_add_rows(sheet, &each, u->n_patterns, prefix->symbols * s->shapes[1].randoms,
                           length);
    }
}

int numbers_add_round(struct sheet *sheet, const struct uniform *u, uint64_t length, bool worst,
                      sheet_counts_fn *counts, struct hagg_err *err)
{
    const struct plan *p = u->plan;
    struct sharings s;

    if (find_sharings(u, &s, err))
        return -1;
    for (const struct stage *stage = NULL; (stage = protocol_next_stage(&p->topology, stage));) {
        struct message each = { .stage = stage };

        if (counts && !counts(stage))
            continue;
        if (stage->from != NODE_CLIENT && stage->kind != HEADER_VECTOR)
            add_sums(sheet, u, length, worst, stage, &s);
        else {
            protocol_set_size(&each, &s.shapes[0], &s.shapes[1]);
            sheet_add_messages(sheet, &each, count(u, stage), length);
            add_draws(sheet, u, &each, s.shapes[0].randoms, length);
        }
    }
    return 0;
}

/* Gives the plan one client for each of several sets, which contain n_used stations together. */
static int draw_sets(struct topology *t, uint32_t size, uint32_t n_used, struct hagg_err *err)
{
    size_t n = (n_used - 1) / size + 1;

    t->groups = calloc(n, sizeof *t->groups);
    if (!t->groups)
        return err_errno(err, "sets");
    for (t->n_groups = 0; t->n_groups < n; t->n_groups++) {
        struct topology_list *via = &t->groups[t->n_groups].via;
        uint32_t first = (uint32_t)t->n_groups * size + 1;

        first = first > n_used - size + 1 ? n_used - size + 1 : first;
        via->numbers = calloc(size, sizeof *via->numbers);
        if (!via->numbers)
            return err_errno(err, "sets");
        for (; via->n < size; via->n++)
            via->numbers[via->n] = first + (uint32_t)via->n;
    }
    return 0;
}

/* The number of messages of a stage of protocol aligned. No dealer is bare. Stations reach all
 * relays, so one of them gets all sums. */
static uint64_t count_aligned(const struct uniform *u, const struct stage *s, const struct plan *p)
{
    uint64_t n_dealers = p->topology.dealers.n, n_masked = 0;

    if (s->from == NODE_CLIENT)
        return u->plan->topology.n_clients * u->n_stations;
    if (s->from == NODE_RELAY) {
        uint32_t n = p->aligned->sharing.n;
        bool combines = protocol_combines_rows(p, n, (uint64_t)n * p->aligned->n_rows[0]);

        return s->kind == HEADER_SUMMAND ? combines : combines ? 0 : n;
    }
    if (s->to != NODE_STATION)
        return p->aligned->sharing.n;
    for (uint32_t i = 0; i < p->aligned->sharing.n; i++)
        n_masked += !p->aligned->bare[i];
    return n_dealers > 0 ? n_dealers * (n_masked - 1) : 0;
}

/* Random vectors of a stage of protocol aligned: of shares and of masks. */
static int add_aligned_draws(struct sheet *sheet, const struct plan *p, const struct message *s,
                             uint64_t length, struct hagg_err *err)
{
    const struct plan_aligned *a = p->aligned;
    struct masks masks = { 0 };

    if (s->stage->from == NODE_CLIENT)
        draws_add_rows(sheet, s, p->topology.n_clients, (uint64_t)a->randoms[0] * s->n_rows,
                       length);
    if (s->stage->secret != HEADER_MASK || p->topology.dealers.n == 0)
        return 0;
    if (masks_new(&masks, &a->sharing, a->blocks, a->bare, err))
        return -1;
    draws_add_rows(sheet, s, p->topology.dealers.n, masks.n_draws, length);
    masks_free(&masks);
    return 0;
}

int numbers_add_aligned(struct sheet *sheet, const struct uniform *u, uint64_t length,
                        struct hagg_err *err)
{
    struct plan p = *u->plan;
    struct topology *t = &p.topology;
    uint64_t n_used = u->n_patterns * u->n_stations;
    int status;

    t->aligned = true;
    n_used = n_used > t->n_stations ? t->n_stations : n_used;
    status = draw_sets(t, u->n_stations, (uint32_t)n_used, err);
    if (status == 0)
        status = plan_aligned_new(&p.aligned, &p, err);
    for (const struct stage *s = NULL; status == 0 && (s = protocol_next_stage(t, s));) {
        struct message each = { .stage = s };

        /* all clients have the same number of parts, so a station's intervals are their blocks */
        protocol_set_aligned_size(&each, p.aligned->sharing.n_segments, p.aligned->n_rows[0],
                                  p.aligned->chunks);
        sheet_add_messages(sheet, &each, count_aligned(u, s, &p), length);
        status = add_aligned_draws(sheet, &p, &each, length, err);
    }
    plan_aligned_free(p.aligned);
    free(t->dealers.numbers);
    topology_free_groups(t->groups, t->n_groups);
    return status;
}
