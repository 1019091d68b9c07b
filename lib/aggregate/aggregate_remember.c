#include "aggregate/aggregate_remember.h"

#include <stdlib.h>
#include <string.h>

/* Returns the node that sends the sum. If no station or relay is given, one process plays several:
 * then it is the holder of the shares. For keys in the clear it is all stations of the chain or, if
 * the keys were added up before, all relays. */
static struct header_node sender(const struct aggregate *a, const struct aggregate_sum *g)
{
    const struct aggregate_options *o = a->options;
    bool to_station;

    if (o->station > 0)
        return node_in_header((struct node){ NODE_STATION, o->station });
    if (o->relay > 0)
        return node_in_header((struct node){ NODE_RELAY, o->relay });
    if (g->header.kind == HEADER_SHARE && g->header.to.tier[0])
        return g->header.to;
    to_station = strcmp(g->header.to.tier, node_tier_name(NODE_STATION)) == 0;
    return node_in_header((struct node){ to_station ? NODE_STATION : NODE_RELAY, 0 });
}

static int add_contributors(const struct aggregate_sum *g, struct rangeset *set,
                            struct hagg_err *err)
{
    struct header_range *ranges;
    size_t n;
    int status = contributors_ranges(&g->clients, &ranges, &n, err);

    for (size_t i = 0; i < n && status == 0; i++)
        status = rangeset_append(set, ranges[i].first, ranges[i].last, err);
    free(ranges);
    return status;
}

/* Determines the clients of the round: those that were agreed on, otherwise all clients of the
 * plan, and without a plan those whose vectors, or whose keys, arrived. */
static int clients_of(const struct aggregate *a, bool keys, struct rangeset *set,
                      struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;

    if (o->plan)
        return plan_clients(o->plan, o->clients, set, err);
    if (o->clients) {
        for (size_t i = 0; i < o->clients->n; i++)
            if (rangeset_add(set, o->clients->ranges[i].first, o->clients->ranges[i].last, err))
                return -1;
        return 0;
    }
    for (const struct aggregate_sum *g = a->sums; g; g = g->next)
        if ((g->header.secret == HEADER_KEY) == keys && add_contributors(g, set, err))
            return -1;
    rangeset_settle(set);
    return 0;
}

static int remember_sum(const struct aggregate *a, const struct aggregate_sum *g, struct mac *mac,
                        const struct rangeset *clients, struct hagg_err *err)
{
    struct state_key key = state_sum_key(&g->header, sender(a, g));
    struct state_sum sum;

    if (state_sum_describe(mac, &g->header, &g->parts, &sum, err))
        return -1;
    return state_claim_sum(a->options->state, &key, clients, &sum, err);
}

/* A sum that is left out is not sent, but from now on the round has this set of clients. */
static int remember_clients(const struct aggregate *a, const struct aggregate_sum *g,
                            const struct rangeset *clients, struct hagg_err *err)
{
    return state_claim_clients(a->options->state, g->header.plan, g->header.round, clients, err);
}

static int claim(const struct aggregate *a, struct hagg_err *err)
{
    struct rangeset clients[2] = { { 0 }, { 0 } }; /* of the sums of shares, and of keys */
    struct mac *mac = NULL;
    int status = 0;

    for (const struct aggregate_sum *g = a->sums; g && status == 0; g = g->next) {
        const struct rangeset *set = &clients[g->header.secret == HEADER_KEY];

        if (!state_sum_counts(&g->header) || !state_remembers(a->options->state))
            continue;
        if (!mac) {
            mac = state_mac(a->options->state, err);
            status = mac ? 0 : -1;
            for (int keys = 0; keys < 2 && status == 0; keys++)
                status = clients_of(a, keys, &clients[keys], err);
        }
        if (status == 0)
            status =
                g->skipped ? remember_clients(a, g, set, err) : remember_sum(a, g, mac, set, err);
    }
    mac_free(mac);
    rangeset_free(&clients[0]);
    rangeset_free(&clients[1]);
    return status;
}

int aggregate_check_state(const struct aggregate *a, struct hagg_err *err)
{
    int status = claim(a, err);

    state_drop(a->options->state);
    return status;
}

int aggregate_remember(void *aggregate, struct hagg_err *err)
{
    const struct aggregate *a = aggregate;

    return claim(a, err) || state_commit(a->options->state, err) ? -1 : 0;
}
