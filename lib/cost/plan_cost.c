#include "cost/plan_cost.h"

#include "cost/bound.h"
#include "cost/protocols.h"

const char *plan_cost_link_name(enum sheet_link link)
{
    static const char *const names[N_LINKS] = {
        [LINK_CLIENT_STATION] = "clients to stations",
        [LINK_STATION_STATION] = "station to station",
        [LINK_STATION_RELAY] = "stations to relays",
        [LINK_RELAY_RELAY] = "relay to relay",
        [LINK_STATION_FEDERATOR] = "stations to federator",
        [LINK_RELAY_FEDERATOR] = "relays to federator",
    };

    return names[link];
}

/* What the federator gets a sum of each. */
static int add_patterns(struct plan_cost *cost, const struct plan *p, enum plan_what what,
                        struct hagg_err *err)
{
    struct setsizes sizes;

    if (setsizes_of_plan(&sizes, p, what, plan_tiers(p) - 1, err))
        return -1;
    cost->n_patterns += setsizes_count_patterns(&sizes);
    setsizes_free(&sizes);
    return 0;
}

/* Of what is sent under the plan. */
static int add_chosen(struct plan_cost *cost, const struct plan *p, struct sheet *sheet,
                      struct hagg_err *err)
{
    if (add_patterns(cost, p, PLAN_SHARES, err) ||
        (p->topology.full && add_patterns(cost, p, PLAN_KEYS, err)))
        return -1;
    return sheet_add_round(sheet, p, 0, err);
}

/* Of what would be, over all stations that clients reach. */
static int add_whole(struct plan_cost *cost, const struct plan *p, struct sheet *sheet,
                     struct hagg_err *err)
{
    struct protocol_sets sets;
    int status;

    if (protocol_sets_of_plan(&sets, p, PLAN_REACHES, err))
        return -1;
    cost->n_patterns = setsizes_count_patterns(&sets.stations);
    if (!p->topology.full)
        status = protocols_client_keys(sheet, p, 0, &sets, err);
    else {
        cost->n_patterns *= 2;
        status = protocols_shared_keys(sheet, p, 0, &sets, &sets, err);
    }
    protocol_sets_free(&sets);
    return status;
}

int plan_cost_new(struct plan_cost *cost, const struct plan *p, bool whole, struct hagg_err *err)
{
    struct sheet sheet;
    int status;

    sheet_init(&sheet);
    mpq_inits(cost->total, cost->bound, NULL);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_init(cost->links[i]);
    cost->n_patterns = 0;
    status = (whole ? add_whole : add_chosen)(cost, p, &sheet, err);
    if (status == 0)
        status = bound_of_plan(cost->bound, p, err);
    sheet_close(&sheet);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_set(cost->links[i], sheet.links[i].times);
    mpq_set(cost->total, sheet.total.times);
    sheet_clear(&sheet);
    if (status)
        plan_cost_free(cost);
    return status;
}

void plan_cost_free(struct plan_cost *cost)
{
    mpq_clears(cost->total, cost->bound, NULL);
    for (size_t i = 0; i < N_LINKS; i++)
        mpq_clear(cost->links[i]);
}
