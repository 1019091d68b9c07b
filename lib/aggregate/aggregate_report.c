#include <string.h>

#include "aggregate/aggregate_state.h"

/* Most sums have the clients of the first one. */
static int add_ranges(struct rangeset *set, const struct header_range *ranges, size_t n,
                      struct hagg_err *err)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t first = ranges[i].first, last = ranges[i].last;

        if (rangeset_overlap(set, first, last) <= last - first &&
            rangeset_add(set, first, last, err))
            return -1;
    }
    return 0;
}

int aggregate_report_add(struct aggregate *a, const struct header *h, struct hagg_err *err)
{
    struct aggregate_report *r = &a->report;
    bool to_station = strcmp(h->to.tier, "station") == 0;

    r->n_sums++;
    if (h->has_round) {
        r->has_round = true;
        r->round = h->round;
    }
    if (add_ranges(&r->clients, h->clients, h->n_clients, err) ||
        add_ranges(&r->dealers, h->dealers, h->n_dealers, err))
        return -1;
    if (!to_station && strcmp(h->to.tier, "relay")) {
        r->to_federator = r->to_federator || h->to.number > 0;
        return 0;
    }
    return rangeset_add(to_station ? &r->to_stations : &r->to_relays, h->to.number, h->to.number,
                        err);
}

const struct aggregate_report *aggregate_report(const struct aggregate *a)
{
    return &a->report;
}

void aggregate_report_free(struct aggregate_report *r)
{
    rangeset_free(&r->clients);
    rangeset_free(&r->dealers);
    rangeset_free(&r->to_stations);
    rangeset_free(&r->to_relays);
}
