#include "aggregate_totals.h"

#include "aggregate_masks.h"
#include "plan_masks.h"
#include "plan_record.h"

/* The next station after this one that masks, or 0. */
static int next_station(const struct aggregate *a, uint32_t *next, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    struct rangeset masking = { 0 };
    int status = plan_masks_stations(o->plan, PLAN_SHARES, o->clients, &masking, err);

    *next = 0;
    for (size_t i = 0; i < masking.n && *next == 0; i++)
        if (masking.ranges[i].last > o->station)
            *next = masking.ranges[i].first > o->station ? masking.ranges[i].first : o->station + 1;
    rangeset_free(&masking);
    return status;
}

int aggregate_totals_forward(const struct aggregate *a, struct header *h, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    uint32_t next = 0, relay;

    if (!o->plan || (o->station == 0 && o->relay == 0)) {
        h->from = h->kind == HEADER_SHARE ? h->to : (struct header_node){ 0 };
        h->to = (struct header_node){ 0 };
        return 0;
    }
    if (o->relay > 0) {
        h->from = (struct header_node){ .tier = "relay", .number = o->relay };
        h->to = (struct header_node){ .tier = "federator", .number = 1 };
        return 0;
    }
    if (h->kind == HEADER_VECTOR && next_station(a, &next, err))
        return -1;
    relay = o->via > 0 ? o->via
            : o->plan->topology.n_relays > 0
                ? o->plan->topology.station_via[o->station - 1].numbers[0]
                : 0;
    h->from = (struct header_node){ .tier = "station", .number = o->station };
    if (next > 0)
        h->to = (struct header_node){ .tier = "station", .number = next };
    else if (relay > 0)
        h->to = (struct header_node){ .tier = "relay", .number = relay };
    else
        h->to = (struct header_node){ .tier = "federator", .number = 1 };
    return 0;
}

int aggregate_totals_stay(const struct aggregate *a, bool *stay, struct hagg_err *err)
{
    uint32_t next = 0;

    *stay = aggregate_masks_spreads(a);
    if (a->options->plan && a->options->plan->masked && !a->options->plan->topology.full &&
        a->options->station > 0 && aggregate_masks_has(a, HEADER_MASK)) {
        if (next_station(a, &next, err))
            return -1;
        *stay = next > 0;
    }
    return 0;
}

int aggregate_totals_check(const struct aggregate *a, const struct aggregate_group *g,
                           struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    const struct header *h = &g->header;
    struct rangeset clients = { 0 }, masking = { 0 };
    struct header_range other;
    uint32_t next = 0;
    bool in_plan;
    int status;

    if (!o->plan || h->secret != HEADER_MASK)
        return 0;
    status = plan_record_clients(o->plan, o->clients, &clients, err);
    if (status == 0 &&
        rangeset_difference(clients.ranges, clients.n, h->clients, h->n_clients, &other, &in_plan))
        status = err_set(err, HAGG_E_MISMATCH,
                         "a total of masks is for sums %s client %u: agree on the clients and use "
                         "the same --clients at every station",
                         in_plan ? "without" : "with", other.first);
    if (status == 0 && h->kind == HEADER_VECTOR && o->station > 0)
        status = next_station(a, &next, err);
    if (status == 0 && next == 0)
        status = plan_masks_stations(o->plan, PLAN_SHARES, o->clients, &masking, err);
    if (status == 0 && next == 0 &&
        rangeset_difference(masking.ranges, masking.n, g->stations.ranges, g->stations.n, &other,
                            &in_plan))
        status = err_set(err, HAGG_E_TOO_FEW,
                         "the masks of station %u are not in their total, without which nothing "
                         "could be decoded but much be learnt: add what has come from the other "
                         "stations",
                         other.first);
    rangeset_free(&clients);
    rangeset_free(&masking);
    return status;
}
