#include "plan_masks.h"

#include <stdlib.h>
#include <string.h>

#include "plan_collusion.h"
#include "plan_patterns.h"

int plan_masks_allowed(const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    if (t->drop_stations > 0 || t->drop_relays > 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: with masks of stations no %s may be missing, for masks would stay in "
                       "the sum: leave out drop %ss, or say masks clients",
                       p->name, t->drop_stations > 0 ? "station" : "relay",
                       t->drop_stations > 0 ? "station" : "relay");
    if (t->transform)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: masks of stations do not go with transform: leave out one of them",
                       p->name);
    return 0;
}

/* Whatever masks are added to all n shares, the result must be a sharing of something. */
static int check_room(const struct plan *p, uint32_t n, const struct hagg_scheme_shape *shape,
                      struct hagg_err *err)
{
    if ((uint64_t)n * shape->symbols == (uint64_t)shape->parts + shape->randoms)
        return 0;
    return err_set(err, HAGG_E_MALFORMED,
                   "%s: scheme '%s' has surplus symbols in %u shares, which masks would spoil: use "
                   "another scheme, or say masks clients",
                   p->name, p->topology.scheme, n);
}

static int check_group(const struct plan *p, const struct topology_group *g, struct hagg_err *err)
{
    struct hagg_scheme_shape shape;
    struct plan_route route;
    uint32_t k, z;

    if (g->keys.n > 0 || g->key_relays.n > 0)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s:%zu: '%s': with masks stations clients have no keys", p->name, g->line,
                       g->keys.n > 0 ? "keys" : "key-relays");
    plan_route(p, g, PLAN_SHARES, &route);
    if (plan_shape(p, 0, (uint32_t)route.lists[0]->n, &k, &z, &shape, err))
        return -1;
    return check_room(p, (uint32_t)route.lists[0]->n, &shape, err);
}

int plan_masks_settle(struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct hagg_scheme_shape shape;
    uint32_t z;

    p->masked = false;
    if (!t->station_masks)
        return 0;
    if (plan_masks_allowed(p, err))
        return -1;
    for (size_t i = 0; i < t->n_groups; i++)
        if (check_group(p, &t->groups[i], err))
            return -1;
    if (plan_masks_needed(p, PLAN_SHARES, &p->masked, err))
        return -1;
    return p->masked && t->full ? plan_masks_shape(p, &z, &shape, err) : 0;
}

int plan_masks_needed(const struct plan *p, enum plan_what what, bool *needed, struct hagg_err *err)
{
    size_t last = what == PLAN_REACHES ? 0 : plan_tiers(p) - 1;
    struct plan_patterns patterns;

    if (plan_patterns_new(&patterns, p, what, last, err))
        return -1;
    *needed = patterns.n > 1;
    plan_patterns_free(&patterns);
    if (*needed || last == 0)
        return 0;
    /* one pattern at the relays may be several at the stations: docs/theory.md section 6 */
    *needed = plan_collusion_check_relays(p, err) != 0;
    if (*needed && err->status != HAGG_E_PRIVACY)
        return -1;
    *err = (struct hagg_err){ 0 };
    return 0;
}

/* Marks the stations of every group that has a client in the set. */
static void mark_stations(const struct plan *p, enum plan_what what, const struct rangeset *among,
                          bool *groups, bool *stations)
{
    const struct topology *t = &p->topology;

    for (size_t i = 0; i < t->n_clients; i++) {
        const struct topology_client *c = &t->clients[i];
        struct plan_route route;

        if (groups[c->group] || (among && rangeset_overlap(among, c->number, c->number) == 0))
            continue;
        groups[c->group] = true;
        plan_route(p, &t->groups[c->group], what, &route);
        for (size_t u = 0; u < route.lists[0]->n; u++)
            stations[route.lists[0]->numbers[u]] = true;
    }
}

int plan_masks_stations(const struct plan *p, enum plan_what what, const struct rangeset *among,
                        struct rangeset *stations, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    bool *groups = calloc(t->n_groups, sizeof *groups);
    bool *masking = calloc(t->n_stations + (size_t)1, sizeof *masking);
    int status = groups && masking ? 0 : err_errno(err, "%s", p->name);

    if (status == 0)
        mark_stations(p, what, among, groups, masking);
    for (uint32_t u = 1; u <= t->n_stations && status == 0; u++)
        if (masking[u])
            status = rangeset_add(stations, u, u, err);
    free(groups);
    free(masking);
    return status;
}

int plan_masks_shape(const struct plan *p, uint32_t *z, struct hagg_scheme_shape *shape,
                     struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    uint32_t n = t->n_stations;

    /* relays see no more of the totals than the federator, so they need not be counted */
    if (plan_shape_against(p, n, n, t->collude_stations, z, shape, err))
        return -1;
    if (shape->uses_points && n >= p->field->info.order)
        return err_set(err, HAGG_E_MALFORMED,
                       "%s: field '%s' has too few points to share masks among %u stations: use a "
                       "larger one",
                       p->name, t->field, n);
    return 0;
}

int plan_masks_sharing(const struct plan *p, struct sharing *s, struct hagg_err *err)
{
    uint32_t n = p->topology.n_stations, z;
    struct hagg_scheme_shape shape;

    if (plan_masks_shape(p, &z, &shape, err))
        return -1;
    return sharing_new(s, p->field, p->scheme, n, n, z, NULL, err);
}

/* That the share is one among all stations. */
static int check_total_share(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct header_scheme *s = &h->scheme;
    uint32_t n = p->topology.n_stations, z;
    struct hagg_scheme_shape shape;
    bool right = h->n_route == 1 && strcmp(h->route[0].name, "station") == 0 && s->n == n;

    for (uint32_t i = 0; i < n && right; i++)
        right = h->route[0].numbers[i] == i + 1;
    if (!right)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a share of masks that is not among all stations of the plan");
    if (plan_masks_shape(p, &z, &shape, err))
        return -1;
    if (strcmp(s->name, p->topology.scheme) || s->k != n || s->z != z || h->n_layout > 0 ||
        s->has_point != (shape.uses_points != 0) || (s->has_point && s->point != s->index + 1u))
        return reader_fail(r, err, HAGG_E_MISMATCH, "scheme is not the plan's");
    if (strcmp(h->to.tier, "station") == 0 && h->to.number != s->index + 1)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is for station %u, but share %u of this sharing goes to station %u",
                           h->to.number, s->index + 1, s->index + 1);
    /* who could speak for others would have a station send the masks of one alone */
    if (strcmp(h->to.tier, "station") == 0 &&
        (strcmp(h->from.tier, "station") || h->n_stations != 1 ||
         h->stations[0].first != h->from.number || h->stations[0].last != h->from.number))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is a share of other masks than those of the station it comes from");
    return 0;
}

static int check_total(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct rangeset clients = { h->clients, h->n_clients, h->n_clients };
    struct rangeset masking = { 0 };
    uint64_t n_inside = 0, n = 0;
    int status;

    if (h->n_clients == 0)
        return reader_fail(r, err, HAGG_E_PRIVACY,
                           "is what a station masks with: give it with --masks, to that station "
                           "only");
    if (!p->masked)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "holds masks, but all clients of the plan "
                           "share alike, so nothing is masked");
    if ((h->kind == HEADER_SHARE) != p->topology.full)
        return reader_fail(r, err, HAGG_E_PRIVACY,
                           p->topology.full
                               ? "is a vector in the clear: under full collusion masks go as shares"
                               : "is a share of masks: under partial collusion their total goes "
                                 "from station to station");
    if (h->kind == HEADER_SHARE && check_total_share(p, r, err))
        return -1;
    status = plan_masks_stations(p, PLAN_SHARES, &clients, &masking, err);
    for (size_t i = 0; i < h->n_stations; i++) {
        n += (uint64_t)h->stations[i].last - h->stations[i].first + 1;
        n_inside += rangeset_overlap(&masking, h->stations[i].first, h->stations[i].last);
    }
    rangeset_free(&masking);
    if (status == 0 && (n == 0 || n_inside < n))
        status = reader_fail(r, err, HAGG_E_MISMATCH,
                             "does not hold masks of stations that these clients share over");
    return status;
}

int plan_masks_check_record(const struct plan *p, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    bool at_station = strcmp(h->to.tier, "station") == 0;

    if (h->secret == HEADER_MASK)
        return check_total(p, r, err);
    if (h->kind != HEADER_SHARE || (h->secret != HEADER_PLAIN && h->secret != HEADER_MASKED))
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is %s %s: with masks stations clients share their vectors as they are",
                           h->kind == HEADER_SHARE ? "a share of what is" : "a vector that is",
                           header_secret_name(h->secret));
    if (h->secret == HEADER_PLAIN && p->masked && !at_station)
        return reader_fail(r, err, HAGG_E_PRIVACY,
                           "was not masked by its station: use hagg-aggregate --masks there");
    if (h->secret == HEADER_MASKED && (!p->masked || at_station))
        return reader_fail(r, err, HAGG_E_MISMATCH, "is masked, which it should not be here");
    return 0;
}
