#include "protocol/record_check.h"

#include <stdio.h>
#include <string.h>

#include "plan/plan_digest.h"
#include "protocol/protocol_state.h"
#include "protocol/record_check_aligned.h"

static int check_vector(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    const struct header *h = reader_header(r);
    struct header_quant none = { 0 };
    const struct header_quant *q = h->type[0] == 'f' ? &t->quant : &none;

    if (strcmp(h->field, t->field))
        return reader_fail(r, err, HAGG_E_MISMATCH, "field is %s, but the plan has %s", h->field,
                           t->field);
    if (h->samples != t->samples)
        return reader_fail(r, err, HAGG_E_MISMATCH, "%s a sample count, unlike the plan",
                           h->samples ? "has" : "lacks");
    if (t->length > 0 && h->length != t->length + t->samples)
        return reader_fail(r, err, HAGG_E_MISMATCH, "has %llu elements, but the plan has %llu",
                           (unsigned long long)(h->length - h->samples),
                           (unsigned long long)t->length);
    if (h->secret != HEADER_KEY && !header_same_quant(&h->quant, q))
        return reader_fail(r, err, HAGG_E_MISMATCH, "quantisation differs from that of the plan");
    return 0;
}

/* Returns 1 if the share is held by relays, otherwise 0 for stations. */
static size_t tier_of(const struct header *h)
{
    return strcmp(h->route[0].name, plan_tier_name(1)) == 0;
}

static bool is_plans(const struct plan *p, size_t tier, const struct header_scheme *s)
{
    struct hagg_scheme_shape shape;
    struct hagg_err why;
    uint32_t k, z;

    return strcmp(s->name, p->topology.scheme) == 0 &&
           plan_shape(p, tier, s->n, &k, &z, &shape, &why) == 0 && s->k == k && s->z == z &&
           s->has_point == (shape.uses_points != 0) && (!s->has_point || s->point == s->index + 1u);
}

/* Checks that the plan has a sharing with these parameters. */
static int check_sharing(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    size_t tier = tier_of(h);

    if (h->kind == HEADER_TRANSFER && (!p->topology.transform || tier != 1 || h->has_carrier))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is a transfer that is not in the plan");
    if (!is_plans(p, tier, &h->scheme) ||
        (h->kind == HEADER_TRANSFER && !is_plans(p, 0, &h->source)))
        return reader_fail(r, err, HAGG_E_MISMATCH, "scheme differs from that of the plan");
    if (h->n_layout != (p->topology.transform && tier == 1 && h->kind == HEADER_SHARE))
        return reader_fail(r, err, HAGG_E_MISMATCH, "was %s, unlike in the plan",
                           h->n_layout > 0 ? "transformed" : "not transformed");
    return 0;
}

/* Checks that the plan shares this secret: keys are shared only under full collusion. */
static int check_secret(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    bool share = h->kind != HEADER_VECTOR, full = p->topology.full;

    if (share && h->secret != HEADER_PADDED && !(full && h->secret == HEADER_KEY))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a share of a secret that the plan does not share");
    if (!share && full)
        return reader_fail(
            r, err, HAGG_E_PRIVACY,
            "is a vector in the clear: under full collusion keys are sent as shares");
    return 0;
}

/* Checks that the relays' sharing is made from that of the client's stations. */
static int check_origin(const struct plan *p, const struct reader *r, uint32_t client,
                        const struct plan_route *way, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct topology_list *stations = way->lists[0];
    struct hagg_scheme_shape shape;
    uint32_t k, z;

    if (plan_shape(p, 0, (uint32_t)stations->n, &k, &z, &shape, err))
        return -1;
    if (h->kind == HEADER_SHARE && h->layout[0] != shape.parts)
        return reader_fail(
            r, err, HAGG_E_MISMATCH,
            "was transformed from a sharing of %u parts, but client %u has %u in the plan",
            h->layout[0], client, shape.parts);
    if (h->kind == HEADER_TRANSFER && !h->from.tier[0])
        return reader_fail(r, err, HAGG_E_MISMATCH, "does not name the station that sent it");
    if (h->kind == HEADER_TRANSFER &&
        (h->source.n != stations->n || strcmp(h->from.tier, plan_tier_name(0)) ||
         h->from.number != stations->numbers[h->source.index]))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is from %s %u, which does not hold share %u of client %u in the plan",
                           h->from.tier, h->from.number, h->source.index + 1, client);
    return 0;
}

/* Checks that the route of the record is that of the client's shares. */
static int check_client(const struct plan *p, const struct reader *r,
                        const struct topology_client *client, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    bool key = h->secret == HEADER_KEY;
    struct plan_route way;
    size_t first, n_right = 0;

    plan_route(p, &p->topology.groups[client->group], key ? PLAN_KEYS : PLAN_SHARES, &way);
    /* the route contains only the tiers that the share has not passed yet */
    first = p->topology.transform ? tier_of(h) : way.n - h->n_route;
    while (h->n_route <= way.n && n_right < h->n_route &&
           protocol_is_tier(&h->route[n_right], first + n_right, way.lists[first + n_right]))
        n_right++;
    if (n_right < h->n_route)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "client %u does not share %s over these %ss in the plan", client->number,
                           key ? "its key" : "its vector", h->route[n_right].name);
    return p->topology.transform && first == 1 ? check_origin(p, r, client->number, &way, err) : 0;
}

/* Checks that the share is addressed to the holder of its index. A holder that also got the share
 * of another would have two shares of one sharing. */
static int check_addressee(const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    uint32_t holder = h->route[0].numbers[h->scheme.index];

    if (strcmp(h->to.tier, h->route[0].name) == 0 && h->to.number != holder)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is for %s %u, but share %u of this sharing goes to %s %u", h->to.tier,
                           h->to.number, h->scheme.index + 1, h->to.tier, holder);
    return 0;
}

/* Checks that a share at a station is from a client, for that client alone, or is the station's own
 * sum to be transformed. A sender of sums could otherwise stand in for clients that it excludes. */
static int check_sender(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    bool own = p->topology.transform && strcmp(h->from.tier, h->to.tier) == 0 &&
               h->from.number == h->to.number;

    if (strcmp(h->to.tier, plan_tier_name(0)) || strcmp(h->from.tier, "client") == 0 || own)
        return 0;
    return reader_fail(r, err, HAGG_E_MISMATCH, "is for station %u, but is not from a client",
                       h->to.number);
}

static int check_clients(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    const struct header *h = reader_header(r);
    uint32_t group = UINT32_MAX; /* the last group that was checked */

    if (h->n_clients == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH, "does not list its clients");
    if (strcmp(h->from.tier, "client") == 0 &&
        (header_count_clients(h) != 1 || h->clients[0].first != h->from.number))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is from client %u, but lists other clients",
                           h->from.number);
    for (size_t i = 0; i < h->n_clients; i++) {
        struct header_range range = h->clients[i];
        const struct topology_client *c = topology_clients(t, range.first, range.last);

        if (!c)
            return reader_fail(r, err, HAGG_E_MISMATCH, "lists clients that are not in the plan");
        for (size_t j = 0; h->kind != HEADER_VECTOR && j <= range.last - range.first; j++) {
            if (c[j].group != group && check_client(p, r, &c[j], err))
                return -1;
            group = c[j].group;
        }
    }
    return 0;
}

/* Finds out which of sender, addressee and clients does not fit the others. Keys in the clear have
 * many senders. */
static int check_way(const struct protocol *round, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    bool share = h->kind != HEADER_VECTOR;
    char what[64] = "a sum of keys";
    struct message s;

    if (share)
        snprintf(what, sizeof what, "share %u of these clients", h->scheme.index + 1);
    if (share && protocol_find_ignoring(round, h, FIND_ANY_SENDER, &s)) {
        if (h->from.tier[0])
            return reader_fail(r, err, HAGG_E_MISMATCH,
                               "is from %s %u, but %s is from %s %u in the plan", h->from.tier,
                               h->from.number, what, node_tier_name(s.from.tier), s.from.number);
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "does not name its sender: it must be %s %u, which sends %s in the plan",
                           node_tier_name(s.from.tier), s.from.number, what);
    }
    if (protocol_find_ignoring(round, h, FIND_ANY_ADDRESSEE, &s)) {
        if (!share && s.from.tier == NODE_CLIENT)
            snprintf(what, sizeof what, "the key of client %u", s.from.number);
        if (h->to.tier[0])
            return reader_fail(r, err, HAGG_E_MISMATCH,
                               "is for %s %u, but %s goes to %s %u in the plan", h->to.tier,
                               h->to.number, what, node_tier_name(s.to.tier), s.to.number);
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "must be addressed to %s %u, which receives %s in the plan",
                           node_tier_name(s.to.tier), s.to.number, what);
    }
    if (protocol_find_ignoring(round, h, FIND_ANY_CLIENTS, &s))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "contains clients that %s %u does not add up in the plan", h->from.tier,
                           h->from.number);
    return reader_fail(r, err, HAGG_E_MISMATCH, "does not match any message of the plan");
}

int record_check(const struct protocol *round, const struct reader *r, struct hagg_err *err)
{
    const struct plan *p = round ? protocol_plan(round) : NULL;
    const struct header *h = reader_header(r);
    struct message s;
    bool found;

    if (!p)
        return h->has_plan ? plan_digest_missing(r, err) : 0;
    if (!h->has_plan)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "was made without a plan: use --plan '' or unset HAGG_PLAN");
    if (!plan_digest_is(p, h))
        return plan_digest_fail(p, r, "", err);
    if (check_vector(p, r, err))
        return -1;
    found = protocol_find(round, h, &s);
    if (!found && protocol_find_ignoring(round, h, FIND_ANY_FORM, &s))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is %s seed, unlike in the plan",
                           h->seed ? "a" : "not a");
    if (p->topology.aligned)
        return record_check_aligned(round, r, found, err);
    if (found)
        return 0;
    /* not a message of the round: find out why */
    if (check_secret(p, r, err) ||
        (h->kind != HEADER_VECTOR &&
         (check_sharing(p, r, err) || check_addressee(r, err) || check_sender(p, r, err))) ||
        check_clients(p, r, err))
        return -1;
    return check_way(round, r, err);
}

/* Returns true if the record, which is a message of the plan, is from a client that may use the
 * station as its courier to the addressee. */
static bool is_carried(const struct protocol *round, const struct header *h, struct node here)
{
    const struct topology *t = &protocol_plan(round)->topology;
    struct message s;

    return here.tier == NODE_STATION && protocol_find(round, h, &s) && s.courier > 0 &&
           topology_carries(&t->groups[topology_client(t, s.from.number)->group], here.number,
                            s.to.number);
}

int record_check_carried(const struct protocol *round, const struct reader *r, uint32_t courier,
                         struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    if (!reader_is_sealed(r))
        return reader_fail(r, err, HAGG_E_PRIVACY,
                           "is for station %u but not sealed, so its courier could read it: get it "
                           "sealed from its sender",
                           h->to.number);
    if (record_check(round, r, err))
        return -1;
    if (is_carried(round, h, (struct node){ NODE_STATION, courier }))
        return 0;
    return reader_fail(r, err, HAGG_E_MISMATCH,
                       "station %u is not a courier from %s %u to station %u in the plan", courier,
                       h->from.tier, h->from.number, h->to.number);
}

int record_check_here(const struct protocol *round, const struct reader *r, struct node here,
                      struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const char *tier = node_tier_name(here.tier);

    if (record_check(round, r, err))
        return -1;
    if (here.number == 0 || node_is(&h->to, here))
        return 0;
    if (round && reader_is_sealed(r) && is_carried(round, h, here))
        return 1;
    if (h->to.tier[0])
        return reader_fail(r, err, HAGG_E_MISMATCH, "is for %s %u, but this is %s %u", h->to.tier,
                           h->to.number, tier, here.number);
    return reader_fail(r, err, HAGG_E_MISMATCH, "is not addressed to %s %u", tier, here.number);
}

int record_check_round(const uint64_t *asked, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    if (!asked || (h->has_round && h->round == *asked))
        return 0;
    if (!h->has_round)
        return reader_fail(r, err, HAGG_E_MISMATCH, "has no round, but this is round %llu",
                           (unsigned long long)*asked);
    return reader_fail(r, err, HAGG_E_MISMATCH, "is of round %llu, but this is round %llu",
                       (unsigned long long)h->round, (unsigned long long)*asked);
}

/* Of the plan's clients that share over the stations of a sum, adds those that are in the set, or
 * those that are not, to `found`. */
static int find_clients(const struct protocol *round, const struct protocol_sum *sum,
                        const struct rangeset *set, bool in_set, struct rangeset *found,
                        struct hagg_err *err)
{
    const struct topology *t = &protocol_plan(round)->topology;

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t number = t->clients[i].number;

        if (protocol_sum_has(round, sum, t->clients[i].group) &&
            (rangeset_overlap(set, number, number) > 0) == in_set &&
            rangeset_add(found, number, number, err))
            return -1;
    }
    return 0;
}

/* The sum that a record carries or is a part of. False if there is none. */
static bool sum_of(const struct protocol *round, const struct header *h, struct protocol_sum *sum)
{
    struct message s;

    if (!protocol_find(round, h, &s))
        return false;
    *sum = (struct protocol_sum){ .what = h->secret == HEADER_KEY ? PLAN_KEYS : PLAN_SHARES,
                                  .pattern = s.pattern };
    return true;
}

int record_check_clients(const struct protocol *round, const struct rangeset *clients,
                         const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    struct rangeset due = { 0 };
    struct header_range range;
    struct protocol_sum sum;
    bool is_due;
    int status;

    if (!clients || !sum_of(round, h, &sum))
        return 0;
    status = find_clients(round, &sum, clients, true, &due, err);
    if (status == 0 &&
        rangeset_difference(due.ranges, due.n, h->clients, h->n_clients, &range, &is_due))
        status = reader_fail(r, err, HAGG_E_MISMATCH, "%s client %u, unlike the roster",
                             is_due ? "lacks" : "includes", range.first);
    rangeset_free(&due);
    return status;
}

int record_check_dropped(const struct protocol *round, const struct reader *r,
                         struct rangeset *missing, struct hagg_err *err)
{
    const struct plan *p = protocol_plan(round);
    const struct header *h = reader_header(r);
    struct rangeset in = { .ranges = h->clients, .n = h->n_clients };
    struct protocol_sum sum;

    if (p->topology.drop_clients == 0 || !sum_of(round, h, &sum) ||
        header_count_clients(h) == protocol_sum_clients(round, &sum))
        return 0;
    return find_clients(round, &sum, &in, false, missing, err) ||
                   plan_check_dropped(p, rangeset_count(missing), err)
               ? -1
               : 0;
}
