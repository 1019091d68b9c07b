#include "plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_aligned.h"
#include "plan/plan_field.h"
#include "plan/plan_identities.h"
#include "plan/plan_patterns.h"
#include "records/describe.h"
#include "vector/quantize.h"
#include "vector/residues.h"

/* Returns the largest absolute value for which sums over all clients fit the field. */
static int64_t max_int(const struct plan *p)
{
    return residues_are_integers(p->field) ? p->field->info.int_max / (int64_t)p->topology.n_clients
                                           : 0;
}

void plan_integers(const struct plan *p, int64_t *lo, int64_t *hi)
{
    *hi = max_int(p);
    *lo = -*hi;
    if (topology_integers_given(&p->topology.integers)) {
        *lo = p->topology.integers.lo;
        *hi = p->topology.integers.hi;
    }
}

int64_t plan_most_samples(const struct plan *p)
{
    return p->topology.most_samples > 0 ? (int64_t)p->topology.most_samples : max_int(p);
}

/* Returns true if a client can share no number but 0, because others are not known to fit. */
static bool is_too_small(const struct plan *p)
{
    const struct topology *t = &p->topology;
    bool any = !header_has_quant(&t->quant) && !topology_integers_given(&t->integers);

    return (any || (t->samples && t->most_samples == 0)) && max_int(p) == 0;
}

#define LARGER_FIELD "a larger field, or "

/* Returns true if a larger field may hold sums over all clients of integers from lo to hi. Sums are
 * of 64 bits, so a field of more than 2^63 elements holds as many as any. */
static bool is_larger_of_use(const struct plan *p, int64_t lo, int64_t hi)
{
    residues_sum(&lo, &hi, p->topology.n_clients);
    return p->field->info.order <= INT64_MAX && lo > INT64_MIN && hi < INT64_MAX;
}

static int check_declared(const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    const struct topology_integers *b = &t->integers;
    int64_t most = (int64_t)t->most_samples;

    if (topology_integers_given(b) && !residues_are_integers(p->field))
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: addition in field '%s' is not integer addition: use a prime field or "
                       "remove integers",
                       p->name, t->field);
    if (topology_integers_given(b) && !residues_fit(p->field, b->lo, b->hi, t->n_clients))
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: a sum over %zu clients of integers from %lld to %lld overflows field "
                       "'%s': use %sa smaller range",
                       p->name, t->n_clients, (long long)b->lo, (long long)b->hi, t->field,
                       is_larger_of_use(p, b->lo, b->hi) ? LARGER_FIELD : "");
    if (most > 0 && !residues_fit(p->field, 0, most, t->n_clients))
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: a sum over %zu clients of up to %llu samples overflows field '%s': use "
                       "%sfewer samples",
                       p->name, t->n_clients, (unsigned long long)most, t->field,
                       is_larger_of_use(p, 0, most) ? LARGER_FIELD : "");
    return 0;
}

static int check_field(const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    if (residues_are_integers(p->field) && is_too_small(p))
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: field '%s' is too small for a sum over %zu clients: use a larger one",
                       p->name, t->field, t->n_clients);
    if (!residues_are_integers(p->field) && t->samples)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: samples cannot be counted in field '%s', because its addition is not "
                       "integer addition: use a prime field or remove samples",
                       p->name, t->field);
    return check_declared(p, err);
}

uint32_t plan_most_bits(const struct plan *p)
{
    return quantize_most_bits(max_int(p));
}

static int refuse_quant(const struct plan *p, int64_t lo, int64_t hi, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    int64_t most = residues_most(p->field, t->n_clients);
    bool larger = is_larger_of_use(p, lo, hi), fewer = t->quant.bits > 0 || most > 0;
    struct text why = { 0 };

    text_printf(&why, "a sum over %zu clients of ", t->n_clients);
    describe_levels(&why, &t->quant);
    text_printf(&why, " overflows field '%s': use ", t->field);
    if (t->quant.bits > 0)
        text_printf(&why, "bits=max, which is %u here", plan_most_bits(p));
    else if (most > 0)
        text_printf(&why, "at most levels=%lld", (long long)most + 1);
    if (larger && fewer)
        text_printf(&why, ", or ");
    if (larger && t->quant.bits > 0)
        text_printf(&why, "a larger field");
    else if (larger)
        text_printf(&why, "a field of more than %llu elements",
                    (unsigned long long)(hi - lo) * t->n_clients);
    err_set(err, HAGG_E_MALFORMED, "%s: %s", p->name,
            text_ok(&why) ? why.bytes : "a sum of quantised values overflows the field");
    text_free(&why);
    return -1;
}

static int settle_quant(struct plan *p, struct hagg_err *err)
{
    struct topology *t = &p->topology;
    int64_t lo, hi;

    if (!header_has_quant(&t->quant) && !t->bits_max)
        return 0;
    if (!residues_are_integers(p->field))
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: addition in field '%s' is not integer addition: use a prime field or "
                       "remove quantize",
                       p->name, t->field);
    if (t->bits_max) {
        t->quant.bits = plan_most_bits(p);
        t->bits_max = false;
    }
    quantize_range(&t->quant, &lo, &hi);
    return residues_fit(p->field, lo, hi, t->n_clients) ? 0 : refuse_quant(p, lo, hi, err);
}

/* Finds the smallest z from least to k - 1 that the scheme supports, and its shape. */
static int shape_against(const struct plan *p, uint32_t n, uint32_t k, uint32_t least, uint32_t *z,
                         struct hagg_scheme_shape *shape, struct hagg_err *err)
{
    struct hagg_err first = { 0 }, other;

    for (*z = least; *z < k; ++*z)
        if (scheme_shape(p->scheme, n, k, *z, shape, *z == least ? &first : &other) == 0)
            return 0;
    return err_set(err, HAGG_E_MALFORMED, "%s: %s", p->name, first.text);
}

int plan_shape(const struct plan *p, size_t tier, uint32_t n, uint32_t *k, uint32_t *z,
               struct hagg_scheme_shape *shape, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t least = topology_colluders(t, tier), spares = topology_spares(t, tier);

    if (topology_check_holders(t, tier, n, p->name, err))
        return -1;
    *k = n - spares;
    return shape_against(p, n, *k, least, z, shape, err);
}

int plan_prefixes(const struct plan *p, size_t tier, uint32_t n, uint32_t *k, uint32_t *z,
                  struct hagg_scheme_shape *shape, struct scheme_prefixes *prefixes,
                  struct hagg_err *err)
{
    return plan_shape(p, tier, n, k, z, shape, err)
               ? -1
               : scheme_prefixes(p->scheme, n, *k, *z, NULL, prefixes, err);
}

/* Returns true if the scheme has prefixes for this sharing. */
static bool has_prefixes(const struct plan *p, size_t tier, const struct topology_list *holders)
{
    struct scheme_prefixes prefixes;
    struct hagg_scheme_shape shape;
    struct hagg_err why;
    uint32_t n = (uint32_t)holders->n, k, z;

    return plan_prefixes(p, tier, n, &k, &z, &shape, &prefixes, &why) == 0 && prefixes.n > 1;
}

bool plan_has_prefixes(const struct plan *p)
{
    const struct topology *t = &p->topology;

    for (size_t i = 0; i < t->n_groups && !t->aligned; i++)
        for (enum plan_what what = PLAN_SHARES; what <= (t->full ? PLAN_KEYS : PLAN_SHARES);
             what++) {
            struct plan_route route;

            plan_route(p, &t->groups[i], what, &route);
            if (has_prefixes(p, 0, route.lists[0]) ||
                (t->transform && has_prefixes(p, 1, route.lists[1])))
                return true;
        }
    return false;
}

int plan_change_scheme(struct plan *p, const char *name, struct hagg_err *err)
{
    struct scheme *scheme = scheme_open(name, err);

    if (!scheme)
        return -1;
    scheme_free(p->scheme);
    p->scheme = scheme;
    snprintf(p->topology.scheme, sizeof p->topology.scheme, "%s", name);
    return 0;
}

static int check_sharing(const struct plan *p, size_t tier, const struct topology_list *list,
                         struct hagg_err *err)
{
    struct hagg_scheme_shape shape;
    struct hagg_err cause = { 0 };
    uint32_t k, z;

    if (plan_shape(p, tier, (uint32_t)list->n, &k, &z, &shape, err))
        return -1;
    if (scheme_check_size(p->scheme, (uint32_t)list->n, k, z, &shape, &cause))
        return err_set(err, HAGG_E_MALFORMED, "%s: %s", p->name, cause.text);
    if (shape.uses_points && list->n >= p->field->info.order)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: field '%s' has too few points for %zu %ss: use a larger one", p->name,
                       p->topology.field, list->n, plan_tier_name(tier));
    return 0;
}

size_t plan_tiers(const struct plan *p)
{
    return p->topology.n_relays > 0 ? 2 : 1;
}

const char *plan_tier_name(size_t tier)
{
    return tier == 0 ? "station" : "relay";
}

static const struct topology_list *or_else(const struct topology_list *chosen,
                                           const struct topology_list *otherwise)
{
    return chosen->n > 0 ? chosen : otherwise;
}

void plan_route(const struct plan *p, const struct topology_group *g, enum plan_what what,
                struct plan_route *route)
{
    *route = (struct plan_route){
        .n = what == PLAN_REACHES || p->topology.transform ? 1 : plan_tiers(p),
    };
    route->lists[0] = what == PLAN_REACHES ? &g->via
                      : what == PLAN_KEYS  ? or_else(&g->keys, &g->via)
                                           : topology_shares(g);
    route->lists[1] = what == PLAN_KEYS ? &g->key_relays : &g->relays;
}

void plan_route_tiers(const struct plan_route *route, struct header_tier tiers[PLAN_TIERS])
{
    for (size_t i = 0; i < route->n; i++) {
        tiers[i] = (struct header_tier){ .numbers = route->lists[i]->numbers,
                                         .n_numbers = route->lists[i]->n };
        snprintf(tiers[i].name, sizeof tiers[i].name, "%s", plan_tier_name(i));
    }
}

bool plan_reaches_relay(const struct plan *p, uint32_t station, uint32_t relay)
{
    const struct topology *t = &p->topology;
    const struct topology_list *via = t->n_relays > 0 ? &t->station_via[station - 1] : NULL;

    for (size_t i = 0; via && i < via->n; i++)
        if (via->numbers[i] == relay)
            return true;
    return false;
}

bool plan_transforms(const struct plan *p, const struct header *h)
{
    return p->topology.transform && strcmp(h->route[0].name, plan_tier_name(0)) == 0;
}

/* Checks that the scheme supports the sharing and that relays are chosen. */
static int check_route(const struct plan *p, const struct topology_group *g, enum plan_what what,
                       struct hagg_err *err)
{
    struct plan_route route;

    plan_route(p, g, what, &route);
    if (check_sharing(p, 0, route.lists[0], err))
        return -1;
    if (plan_tiers(p) > 1 && route.lists[1]->n == 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s:%zu: no relays are chosen for these shares: choose them with hagg-plan",
                       p->name, g->line);
    return p->topology.transform ? check_sharing(p, 1, route.lists[1], err) : 0;
}

int plan_check_sets(const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    if (t->aligned)
        return 0; /* checked by topology_parse and plan_aligned_new */
    for (size_t i = 0; i < t->n_groups; i++)
        if (check_route(p, &t->groups[i], PLAN_SHARES, err) ||
            (t->full && check_route(p, &t->groups[i], PLAN_KEYS, err)))
            return -1;
    return plan_patterns_check_relays(p, err);
}

static int open_plugins(struct plan *p, struct hagg_err *err)
{
    struct hagg_err cause = { 0 };

    p->field = field_open(p->topology.field, &cause);
    if (p->field)
        p->scheme = scheme_open(p->topology.scheme, &cause);
    if (p->scheme)
        return 0;
    return err_set(err, cause.status == HAGG_E_USAGE ? HAGG_E_MALFORMED : cause.status, "%s: %s",
                   p->name, cause.text);
}

static int check_scheme(const struct plan *p, struct hagg_err *err)
{
    if (p->topology.aligned && !scheme_aligns(p->scheme))
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: scheme '%s' cannot be used with protocol aligned: remove the scheme "
                       "line, or add a line protocol keys",
                       p->name, p->topology.scheme);
    return 0;
}

/* What follows from the topology without the choices of a plan. */
static int settle_topology(struct plan *p, struct hagg_err *err)
{
    return plan_field_settle(&p->topology, err) || open_plugins(p, err) || check_field(p, err) ||
                   settle_quant(p, err) || check_scheme(p, err)
               ? -1
               : 0;
}

int plan_settle(struct plan *p, struct hagg_err *err)
{
    if (plan_identities_settle(p, err))
        return -1;
    plan_aligned_free(p->aligned);
    p->aligned = NULL;
    if (p->topology.aligned && plan_aligned_new(&p->aligned, p, err))
        return -1;
    return topology_digest(&p->topology, p->digest, err);
}

int plan_parse_to_choose(struct plan *p, enum topology_protocol protocol, const char *name,
                         const struct text *text, struct hagg_err *err)
{
    *p = (struct plan){ .name = strdup(name) };
    if (!p->name)
        return err_errno(err, "%s", name);
    if (topology_parse_to_choose(&p->topology, protocol, name, text->bytes, text->len, err) == 0 &&
        settle_topology(p, err) == 0)
        return 0;
    plan_free(p);
    return -1;
}

int plan_load_to_choose(struct plan *p, const char *path, struct hagg_err *err)
{
    *p = (struct plan){ .name = strdup(topology_name(path)) };
    if (!p->name)
        return err_errno(err, "%s", path);
    if (topology_load(&p->topology, path, err) == 0 && settle_topology(p, err) == 0 &&
        plan_settle(p, err) == 0)
        return 0;
    plan_free(p);
    return -1;
}

int plan_load(struct plan *p, const char *path, struct hagg_err *err)
{
    if (plan_load_to_choose(p, path, err))
        return -1;
    if (plan_check_sets(p, err) == 0)
        return 0;
    plan_free(p);
    return -1;
}

void plan_free(struct plan *p)
{
    plan_aligned_free(p->aligned);
    topology_free(&p->topology);
    field_free(p->field);
    scheme_free(p->scheme);
    free(p->name);
    *p = (struct plan){ 0 };
}

int plan_check_nodes(const struct plan *p, uint32_t station, uint32_t relay, struct hagg_err *err)
{
    if (station > p->topology.n_stations)
        return err_set(err, HAGG_E_USAGE, "%s: has no station %u", p->name, station);
    if (relay > p->topology.n_relays)
        return err_set(err, HAGG_E_USAGE, "%s: has no relay %u", p->name, relay);
    return 0;
}

int plan_check_missing(const struct plan *p, size_t tier, const struct rangeset *missing,
                       struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t last = missing->n > 0 ? missing->ranges[missing->n - 1].last : 0;
    uint32_t n_spare = tier == 0 ? t->drop_stations : t->drop_relays;
    uint64_t n = rangeset_count(missing);

    if (plan_check_nodes(p, tier == 0 ? last : 0, tier == 0 ? 0 : last, err))
        return -1;
    if (n > n_spare)
        return err_set(err, HAGG_E_TOO_FEW,
                       "%s: %llu %s%s missing, but the plan tolerates only %u (drop line): start "
                       "the round when more are available",
                       p->name, (unsigned long long)n, plan_tier_name(tier),
                       n == 1 ? " is" : "s are", n_spare);
    return 0;
}

int plan_check_reach(const struct plan *p, const struct topology_client *client,
                     const struct rangeset *missing, struct hagg_err *err)
{
    const struct topology_list *via = &p->topology.groups[client->group].via;

    for (size_t i = 0; i < via->n; i++)
        if (!missing || rangeset_overlap(missing, via->numbers[i], via->numbers[i]) == 0)
            return 0;
    return err_set(err, HAGG_E_TOO_FEW,
                   "%s: every station that client %u reaches is missing: leave the client out, or "
                   "start the round when one is available",
                   p->name, client->number);
}

uint32_t plan_key_station(const struct topology_group *g)
{
    return or_else(&g->keys, &g->via)->numbers[0];
}

int plan_client(const struct plan *p, uint32_t number, struct plan_client *client,
                struct hagg_err *err)
{
    const struct topology_client *c = topology_client(&p->topology, number);
    const struct topology_group *g;

    if (!c)
        return err_set(err, HAGG_E_USAGE, "%s: has no client %u", p->name, number);
    g = &p->topology.groups[c->group];
    *client = (struct plan_client){
        .number = number,
        .group = c->group,
        .key_station = plan_key_station(g),
    };
    plan_route(p, g, PLAN_SHARES, &client->shares);
    plan_route(p, g, PLAN_KEYS, &client->keys);
    return 0;
}

int plan_sharing(const struct plan *p, size_t tier, uint32_t n, const bool *draw, struct sharing *s,
                 struct hagg_err *err)
{
    struct hagg_scheme_shape shape;
    uint32_t k, z;

    if (plan_shape(p, tier, n, &k, &z, &shape, err))
        return -1;
    return sharing_new(s, p->field, p->scheme, n, k, z, NULL, draw, err);
}

int plan_check_minimum(uint32_t minimum, uint64_t n_clients, struct hagg_err *err)
{
    if (n_clients >= minimum)
        return 0;
    return err_set(err, HAGG_E_PRIVACY,
                   "a total of %llu client%s would reveal too much: at least %u are needed",
                   (unsigned long long)n_clients, n_clients == 1 ? "" : "s", minimum);
}

int plan_check_dropped(const struct plan *p, uint64_t n_missing, struct hagg_err *err)
{
    uint32_t most = p->topology.drop_clients;

    if (most == 0 || n_missing <= most)
        return 0;
    return err_set(err, HAGG_E_PRIVACY,
                   "%s: %llu clients are missing, but the plan tolerates only %u (drop line): wait "
                   "for the others",
                   p->name, (unsigned long long)n_missing, most);
}

int plan_check_total(const struct plan *p, uint64_t n_clients, struct hagg_err *err)
{
    return plan_check_minimum(p->topology.minimum, n_clients, err) ||
                   plan_check_dropped(p, p->topology.n_clients - n_clients, err)
               ? -1
               : 0;
}

int plan_clients(const struct plan *p, const struct rangeset *among, struct rangeset *clients,
                 struct hagg_err *err)
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

int plan_check_clients(const struct plan *p, const struct rangeset *named, struct hagg_err *err)
{
    struct rangeset known = { 0 };
    int status = plan_clients(p, named, &known, err);

    if (status == 0 && rangeset_count(&known) < rangeset_count(named))
        status = err_set(err, HAGG_E_USAGE, "%s: --clients names clients that are not in the plan",
                         p->name);
    rangeset_free(&known);
    return status;
}
