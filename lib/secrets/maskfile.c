#include "maskfile.h"

#include <string.h>

#include "plan_masks.h"
#include "uniform_record.h"

int maskfile_check_need(const struct plan *plan, uint32_t station, struct hagg_err *err)
{
    struct rangeset masking = { 0 };
    int status;

    if (!plan->topology.station_masks)
        return err_set(err, HAGG_E_USAGE,
                       "%s: does not say masks stations: clients have keys instead", plan->name);
    if (plan_check_nodes(plan, station, 0, err))
        return -1;
    if (!plan->masked)
        return err_set(err, HAGG_E_USAGE,
                       "%s: all clients share alike, so the federator sees their sum only and no "
                       "masks are needed",
                       plan->name);
    status = plan_masks_stations(plan, PLAN_SHARES, NULL, &masking, err);
    if (status == 0 && rangeset_overlap(&masking, station, station) == 0)
        status = err_set(err, HAGG_E_USAGE,
                         "%s: no client shares over station %u, so it needs no "
                         "masks",
                         plan->name, station);
    rangeset_free(&masking);
    return status;
}

/* What all records of the file say. */
static int common_header(const struct maskfile_need *need, struct random *random, struct header *h,
                         struct hagg_err *err)
{
    *h = (struct header){
        .secret = HEADER_MASK,
        .samples = need->plan->topology.samples,
        .has_round = true,
        .round = need->round,
        .has_plan = true,
        .has_id = true,
    };
    memcpy(h->field, need->plan->field->spec, sizeof h->field);
    memcpy(h->plan, need->plan->digest, sizeof h->plan);
    return random_bytes(random, h->id, sizeof h->id, err);
}

/* Where the station stands among the holders; their number if it does not. */
static size_t place_of(const struct topology_list *holders, uint32_t station)
{
    size_t i = 0;

    while (i < holders->n && holders->numbers[i] != station)
        i++;
    return i;
}

static int write_mask(const struct maskfile_need *need, const struct plan_route *route,
                      uint32_t index, const struct header *common, struct random *random,
                      struct writer *w, struct hagg_err *err)
{
    const struct plan *plan = need->plan;
    struct header_tier tiers[PLAN_TIERS];
    struct header_range self = { need->station, need->station };
    struct header h = *common;
    struct sharing s;
    uint64_t n;
    int status;

    if (plan_sharing(plan, 0, (uint32_t)route->lists[0]->n, &s, err))
        return -1;
    h.kind = HEADER_SHARE;
    h.length = need->length;
    h.stations = &self;
    h.n_stations = 1;
    h.has_masks = true;
    sharing_describe(&s, plan->scheme->ops.name, index, &h.scheme);
    h.route = tiers;
    h.n_route = route->n;
    plan_route_tiers(route, tiers);
    n = scheme_share_length(&s.shape, need->length);
    sharing_free(&s);
    status = random_bytes(random, h.masks, sizeof h.masks, err);
    if (status == 0)
        status = uniform_record(w, &h, plan->field, n, random, need->progress, err);
    return status;
}

/* The random vectors that the total is shared with, one after the other. */
static int write_noise(const struct maskfile_need *need, const struct header *common,
                       struct random *random, struct writer *w, struct hagg_err *err)
{
    struct header h = *common;
    struct sharing s;

    if (plan_masks_sharing(need->plan, &s, err))
        return -1;
    h.kind = HEADER_VECTOR;
    h.samples = false;
    h.length = s.shape.randoms * sharing_part_length(&s, need->length);
    sharing_free(&s);
    return uniform_record(w, &h, need->plan->field, h.length, random, need->progress, err);
}

int maskfile_write(const struct maskfile_need *need, struct random *random, struct writer *w,
                   struct hagg_err *err)
{
    struct plan_patterns patterns;
    struct header common;
    int status;

    if (common_header(need, random, &common, err) ||
        plan_patterns_new(&patterns, need->plan, PLAN_SHARES, 0, err))
        return -1;
    status = 0;
    for (size_t i = 0; i < patterns.n && status == 0; i++) {
        size_t index = place_of(patterns.routes[i].lists[0], need->station);

        if (index < patterns.routes[i].lists[0]->n)
            status =
                write_mask(need, &patterns.routes[i], (uint32_t)index, &common, random, w, err);
    }
    if (status == 0 && need->plan->topology.full)
        status = write_noise(need, &common, random, w, err);
    plan_patterns_free(&patterns);
    return status;
}

int maskfile_check(const struct reader *r, const struct plan *plan, uint32_t station,
                   const struct plan_patterns *patterns, size_t *pattern, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    const struct header_scheme *s = &h->scheme;
    struct hagg_scheme_shape shape;
    uint32_t k, z;

    if (h->secret != HEADER_MASK || h->kind == HEADER_TRANSFER || !h->has_id || h->n_clients > 0)
        return reader_fail(r, err, HAGG_E_MISMATCH,
                           "is not a station's mask: make one with hagg-keygen --station");
    if (!h->has_plan || memcmp(h->plan, plan->digest, sizeof h->plan))
        return reader_fail(r, err, HAGG_E_MISMATCH, "mask was made under another plan than %s",
                           plan->name);
    if (strcmp(h->field, plan->field->spec) || reader_elem_size(r) != field_elem_size(plan->field))
        return reader_fail(r, err, HAGG_E_MALFORMED, "mask is not over the plan's field");
    *pattern = patterns->n;
    if (h->kind == HEADER_VECTOR)
        return plan->topology.full ? 0
                                   : reader_fail(r, err, HAGG_E_MISMATCH,
                                                 "has no place in masks under partial "
                                                 "collusion");
    if (h->n_stations != 1 || h->stations[0].first != station || h->stations[0].last != station)
        return reader_fail(r, err, HAGG_E_MISMATCH, "mask is of station %u, this is station %u",
                           h->n_stations > 0 ? h->stations[0].first : 0, station);
    *pattern = plan_patterns_find(patterns, h);
    if (*pattern == patterns->n || h->route[0].numbers[s->index] != station || !h->has_masks ||
        plan_shape(plan, 0, s->n, &k, &z, &shape, err) || s->k != k || s->z != z ||
        strcmp(s->name, plan->topology.scheme))
        return reader_fail(r, err, HAGG_E_MISMATCH, "mask is for no pattern of the plan");
    if (reader_n_elems(r) != scheme_share_length(&shape, h->length))
        return reader_fail(r, err, HAGG_E_MALFORMED, "mask has %llu elements, not %llu",
                           (unsigned long long)reader_n_elems(r),
                           (unsigned long long)scheme_share_length(&shape, h->length));
    return 0;
}
