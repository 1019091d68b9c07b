#include "plan/plan_record.h"

#include <string.h>

/* Index of the first client of the plan with this number or a greater one. */
static size_t find(const struct topology *t, uint32_t number)
{
    size_t low = 0, high = t->n_clients;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (t->clients[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* That every client of the range is in the plan; *first is the place of its first one. */
static bool has_range(const struct topology *t, struct header_range range, size_t *first)
{
    size_t n = (size_t)range.last - range.first + 1;

    *first = find(t, range.first);
    return t->n_clients - *first >= n && t->clients[*first].number == range.first &&
           t->clients[*first + n - 1].number == range.last;
}

static int check_vector(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    const struct header *h = reader_header(r);
    struct header_quant none = { 0 };
    const struct header_quant *q = h->type[0] == 'f' ? &t->quant : &none;

    if (strcmp(h->field, t->field))
        return reader_fail(r, err, HAGG_E_MISMATCH, "field is %s, the plan says %s", h->field,
                           t->field);
    if (h->samples != t->samples)
        return reader_fail(r, err, HAGG_E_MISMATCH, "%s a sample count, unlike the plan",
                           h->samples ? "has" : "lacks");
    if (t->length > 0 && h->length != t->length + t->samples)
        return reader_fail(r, err, HAGG_E_MISMATCH, "has %llu elements, the plan says %llu",
                           (unsigned long long)(h->length - h->samples),
                           (unsigned long long)t->length);
    if (h->secret != HEADER_KEY &&
        (h->quant.bits != q->bits ||
         (q->bits > 0 && (h->quant.clip != q->clip || h->quant.rounding != q->rounding))))
        return reader_fail(r, err, HAGG_E_MISMATCH, "quantisation is not the plan's");
    return 0;
}

/* Relays or, as every sharing begins there, stations. */
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

/* That the share is what the plan makes for holders like these. */
static int check_sharing(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    size_t tier = tier_of(h);

    if (h->kind == HEADER_TRANSFER && (!p->topology.transform || tier != 1 || h->has_carrier))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is a transfer that the plan does not have");
    if (!is_plans(p, tier, &h->scheme) ||
        (h->kind == HEADER_TRANSFER && !is_plans(p, 0, &h->source)))
        return reader_fail(r, err, HAGG_E_MISMATCH, "scheme is not the plan's");
    if (h->n_layout != (p->topology.transform && tier == 1 && h->kind == HEADER_SHARE))
        return reader_fail(r, err, HAGG_E_MISMATCH, "was %s, unlike in the plan",
                           h->n_layout > 0 ? "transformed" : "not transformed");
    return 0;
}

/* Which secrets are shared is up to the plan: keys are under full collusion only. */
static int check_secret(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    bool share = h->kind != HEADER_VECTOR, full = p->topology.full;

    if (share && h->secret != HEADER_PADDED && !(full && h->secret == HEADER_KEY))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is a share of what the plan does not share");
    if (!share && full)
        return reader_fail(r, err, HAGG_E_PRIVACY,
                           "is a vector in the clear: under full collusion keys go as shares");
    return 0;
}

static bool is_tier(const struct header_tier *tier, const struct plan_route *way, size_t i)
{
    const struct topology_list *list = way->lists[i];

    return strcmp(tier->name, plan_tier_name(i)) == 0 && tier->n_numbers == list->n &&
           memcmp(tier->numbers, list->numbers, list->n * sizeof *list->numbers) == 0;
}

/* That the relays' sharing is made from that of the client's stations. */
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
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "was transformed from a sharing of %u parts, client %u has %u in the "
                           "plan",
                           h->layout[0], client, shape.parts);
    if (h->kind == HEADER_TRANSFER && !h->from.tier[0])
        return reader_fail(r, err, HAGG_E_MISMATCH, "does not say which station it comes from");
    if (h->kind == HEADER_TRANSFER &&
        (h->source.n != stations->n || strcmp(h->from.tier, plan_tier_name(0)) ||
         h->from.number != stations->numbers[h->source.index]))
        return reader_fail(
            r, err, HAGG_E_MISMATCH,
            "comes from %s %u, which does not hold share %u of client %u in the plan", h->from.tier,
            h->from.number, h->source.index + 1, client);
    return 0;
}

/* That the client's shares go to the holders that the record names. */
static int check_client(const struct plan *p, const struct reader *r, uint32_t client,
                        struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct plan_route *way;
    struct plan_client place;
    size_t first, n_right = 0;

    if (plan_client(p, client, &place, err))
        return -1;
    way = h->secret == HEADER_KEY ? &place.keys : &place.shares;
    /* tiers that it has passed are gone from its route */
    first = p->topology.transform ? tier_of(h) : way->n - h->n_route;
    while (h->n_route <= way->n && n_right < h->n_route &&
           is_tier(&h->route[n_right], way, first + n_right))
        n_right++;
    if (n_right < h->n_route)
        return reader_fail(
            r, err, HAGG_E_MISMATCH, "client %u does not share %s over these %ss in the plan",
            client, h->secret == HEADER_KEY ? "its key" : "its vector", h->route[n_right].name);
    return p->topology.transform && first == 1 ? check_origin(p, r, client, way, err) : 0;
}

/* That it goes to the holder of its index: whoever got another's as well would have two shares of
 * one sharing. */
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

/* That a share at a station is what a client has sent for itself alone, or the sum that the station
 * keeps to transform it: who could send a sum would stand for clients that it keeps away. */
static int check_sender(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    bool own = p->topology.transform && strcmp(h->from.tier, h->to.tier) == 0 &&
               h->from.number == h->to.number;

    if (strcmp(h->to.tier, plan_tier_name(0)) || strcmp(h->from.tier, "client") == 0 || own)
        return 0;
    return reader_fail(r, err, HAGG_E_MISMATCH,
                       "is for station %u, but does not come from a client", h->to.number);
}

static int check_clients(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    const struct header *h = reader_header(r);
    uint32_t group = UINT32_MAX; /* whose clients were found to be right */

    if (h->n_clients == 0)
        return reader_fail(r, err, HAGG_E_MISMATCH, "does not say whose vectors it holds");
    if (strcmp(h->from.tier, "client") == 0 &&
        (header_count_clients(h) != 1 || h->clients[0].first != h->from.number))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "comes from client %u but claims to hold others", h->from.number);
    for (size_t i = 0; i < h->n_clients; i++) {
        size_t first;

        if (!has_range(t, h->clients[i], &first))
            return reader_fail(r, err, HAGG_E_MISMATCH, "holds clients that are not in the plan");
        for (size_t j = first; h->kind != HEADER_VECTOR && j < t->n_clients &&
                               t->clients[j].number <= h->clients[i].last;
             j++) {
            if (t->clients[j].group != group && check_client(p, r, t->clients[j].number, err))
                return -1;
            group = t->clients[j].group;
        }
    }
    return 0;
}

int plan_record_check(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    if (!h->has_plan)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "was made without a plan: say none, with --plan '' or HAGG_PLAN unset");
    if (memcmp(h->plan, p->digest, sizeof h->plan))
        return reader_fail(r, err, HAGG_E_MISMATCH, "was made under another plan than %s", p->name);
    if (check_vector(p, r, err) || check_secret(p, r, err) ||
        (h->kind != HEADER_VECTOR &&
         (check_sharing(p, r, err) || check_addressee(r, err) || check_sender(p, r, err))))
        return -1;
    return check_clients(p, r, err);
}

int plan_record_check_here(const struct plan *p, const struct reader *r, const char *tier,
                           uint32_t number, struct hagg_err *err)
{
    const struct header *h = reader_header(r);

    if (p && plan_record_check(p, r, err))
        return -1;
    if (number > 0 && (strcmp(h->to.tier, tier) || h->to.number != number)) {
        if (h->to.tier[0])
            return reader_fail(r, err, HAGG_E_MISMATCH, "is for %s %u, this is %s %u", h->to.tier,
                               h->to.number, tier, number);
        return reader_fail(r, err, HAGG_E_MISMATCH, "is not addressed to %s %u", tier, number);
    }
    return 0;
}

int plan_record_clients(const struct plan *p, const struct rangeset *among,
                        struct rangeset *clients, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t number = t->clients[i].number;

        if ((!among || rangeset_overlap(among, number, number) > 0) &&
            rangeset_add(clients, number, number, err))
            return -1;
    }
    return 0;
}

int plan_record_check_clients(const struct plan *p, const struct rangeset *named,
                              struct hagg_err *err)
{
    struct rangeset known = { 0 };
    int status = plan_record_clients(p, named, &known, err);

    if (status == 0 && rangeset_count(&known) < rangeset_count(named))
        status =
            err_set(err, HAGG_E_USAGE, "%s: has not all clients that --clients names", p->name);
    rangeset_free(&known);
    return status;
}
