#include "aggregate_complete.h"

#include <stdlib.h>

#include "plan_collusion.h"
#include "plan_patterns.h"
#include "plan_record.h"

/* What should come to a tier, of vectors or of keys. */
struct expected {
    struct aggregate *a;
    enum header_secret secret;
    size_t tier;
    struct plan_patterns patterns;
    uint64_t *n_clients; /* by pattern: survivors that share over it */
    uint32_t *n_sums;    /* by pattern: that came */
};

static bool survives(const struct aggregate *a, uint32_t client)
{
    return !a->options->clients || rangeset_overlap(a->options->clients, client, client) > 0;
}

static bool is_in(const struct topology_list *list, uint32_t number)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->numbers[i] == number)
            return true;
    return false;
}

static bool has_client(const struct contributors *clients, uint32_t number)
{
    for (size_t i = 0; i < clients->n; i++)
        if (clients->spans[i].first <= number && number <= clients->spans[i].last)
            return true;
    return false;
}

/* The station that sends to this relay for clients like these. */
static uint32_t station_before(const struct expected *e, const struct topology_group *g)
{
    const struct aggregate_options *o = e->a->options;
    struct plan_route route;
    size_t i = 0;

    plan_route(o->plan, g, e->secret == HEADER_KEY ? PLAN_KEYS : PLAN_SHARES, &route);
    while (i + 1 < route.lists[1]->n && route.lists[1]->numbers[i] != o->relay)
        i++;
    return route.lists[0]->numbers[i];
}

static const char *without(const struct expected *e)
{
    return topology_spares(&e->a->options->plan->topology, e->tier) > 0
               ? ", or go on without with --skip-incomplete"
               : "";
}

/* Whether a sum of the client's stations has come, which then lacks the client because the stations
 * left it out: some other client came that shares over the same stations. */
static int left_out(const struct expected *e, size_t client, const struct contributors *came,
                    bool *is, struct hagg_err *err)
{
    const struct topology *t = &e->a->options->plan->topology;
    struct plan_patterns stations;

    *is = false;
    if (plan_patterns_new(&stations, e->a->options->plan,
                          e->secret == HEADER_KEY ? PLAN_KEYS : PLAN_SHARES, 0, err))
        return -1;
    for (size_t i = 0; i < t->n_clients && !*is; i++)
        *is =
            stations.of_group[t->clients[i].group] == stations.of_group[t->clients[client].group] &&
            has_client(came, t->clients[i].number);
    plan_patterns_free(&stations);
    return 0;
}

/* Names the first survivor of the pattern that is not among those who came. */
static int refuse(const struct expected *e, size_t pattern, const struct contributors *came,
                  struct hagg_err *err)
{
    const struct topology *t = &e->a->options->plan->topology;
    bool is_left_out = false;

    for (size_t i = 0; i < t->n_clients; i++) {
        uint32_t number = t->clients[i].number;

        if (e->patterns.of_group[t->clients[i].group] != pattern || !survives(e->a, number) ||
            has_client(came, number))
            continue;
        if (e->tier > 0 && left_out(e, i, came, &is_left_out, err))
            return -1;
        if (e->tier > 0 && is_left_out)
            return err_set(err, HAGG_E_TOO_FEW,
                           "the sums of the stations lack the %s of client %u: use the --clients "
                           "that the stations used%s",
                           e->secret == HEADER_KEY ? "key" : "vector", number, without(e));
        if (e->tier > 0 && t->transform)
            return err_set(err, HAGG_E_TOO_FEW,
                           "the share made from sums that hold the %s of client %u is missing: "
                           "finish the transfers from its stations, with hagg-transform, or, if "
                           "the stations left it out, use their --clients%s",
                           e->secret == HEADER_KEY ? "key" : "vector", number, without(e));
        if (e->tier > 0 && e->a->options->relay > 0)
            return err_set(
                err, HAGG_E_TOO_FEW,
                "the sum from station %u that holds the %s of client %u has not come: get "
                "it%s",
                station_before(e, &t->groups[t->clients[i].group]),
                e->secret == HEADER_KEY ? "key" : "vector", number, without(e));
        return err_set(
            err, HAGG_E_TOO_FEW,
            "the share of the %s of client %u has not come: if no sum of this round was "
            "sent yet, agree on the clients that remain and use --clients at every "
            "station, otherwise begin a new round%s",
            e->secret == HEADER_KEY ? "key" : "vector", number,
            topology_spares(t, e->tier) > 0 ? ", or leave its sum out with --skip-incomplete" : "");
    }
    return 0;
}

static uint64_t count(const struct contributors *clients)
{
    uint64_t n = 0;

    for (size_t i = 0; i < clients->n; i++)
        n += clients->spans[i].last - clients->spans[i].first + UINT64_C(1);
    return n;
}

/* Whose work this is, at the tier; 0: that of all. */
static uint32_t node_at(const struct aggregate_options *o, size_t tier)
{
    return tier == 0 ? o->station : o->relay;
}

/* plan_record_check has let in only clients of the right pattern, so counting is enough. */
static int check_sums(const struct expected *e, struct hagg_err *err)
{
    static const struct contributors none;
    uint32_t node = node_at(e->a->options, e->tier);

    for (struct aggregate_group *g = e->a->groups; g; g = g->next) {
        const struct header *h = &g->header;
        size_t pattern;

        if (h->kind != HEADER_SHARE || h->secret != e->secret)
            continue;
        pattern = plan_patterns_find(&e->patterns, h);
        if (pattern == e->patterns.n)
            continue; /* at another tier */
        e->n_sums[pattern]++;
        g->skipped = count(&g->clients) < e->n_clients[pattern];
        if (g->skipped && !e->a->options->skip_incomplete)
            return refuse(e, pattern, &g->clients, err);
    }
    /* whoever works for a station or relay has all that is sent to it */
    for (size_t i = 0; i < e->patterns.n && node > 0 && !e->a->options->skip_incomplete; i++)
        if (e->n_clients[i] > 0 && e->n_sums[i] == 0 && is_in(e->patterns.routes[i].lists[0], node))
            return refuse(e, i, &none, err);
    return 0;
}

static int check_tier(struct aggregate *a, enum header_secret secret, size_t tier,
                      struct hagg_err *err)
{
    const struct topology *t = &a->options->plan->topology;
    struct expected e = { .a = a, .secret = secret, .tier = tier };
    int status = -1;

    if (plan_patterns_new(&e.patterns, a->options->plan,
                          secret == HEADER_KEY ? PLAN_KEYS : PLAN_SHARES, tier, err))
        return -1;
    e.n_clients = calloc(e.patterns.n, sizeof *e.n_clients);
    e.n_sums = calloc(e.patterns.n, sizeof *e.n_sums);
    if (e.n_clients && e.n_sums) {
        for (size_t i = 0; i < t->n_clients; i++)
            e.n_clients[e.patterns.of_group[t->clients[i].group]] +=
                survives(a, t->clients[i].number);
        status = check_sums(&e, err);
    } else {
        err_errno(err, "%s", a->options->plan->name);
    }
    free(e.n_clients);
    free(e.n_sums);
    plan_patterns_free(&e.patterns);
    return status;
}

static int check_secret(struct aggregate *a, enum header_secret secret, struct hagg_err *err)
{
    for (size_t tier = 0; tier < plan_tiers(a->options->plan); tier++)
        if (check_tier(a, secret, tier, err))
            return -1;
    return 0;
}

static int check_survivors(const struct aggregate *a, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    const struct topology *t = &o->plan->topology;
    uint64_t n = 0;

    /* those that the plan does not have hide nobody */
    for (size_t i = 0; i < t->n_clients; i++)
        n += survives(a, t->clients[i].number);
    if (plan_check_minimum(o->plan->topology.minimum, n, err))
        return -1;
    return o->unsafe_plan ? 0 : plan_collusion_check(o->plan, o->clients, err);
}

int aggregate_check_complete(struct aggregate *a, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;

    if (!o->plan || !o->plan->topology.full)
        return 0;
    if (check_survivors(a, err))
        return -1;
    if (o->only != AGGREGATE_KEYS && check_secret(a, HEADER_PADDED, err))
        return -1;
    return o->only != AGGREGATE_SHARES ? check_secret(a, HEADER_KEY, err) : 0;
}

/* Partial collusion: the first client whose key has come to this station by now, along the chain,
 * or comes to whoever adds up for all. */
static uint32_t first_key(const struct aggregate_options *o)
{
    const struct topology *t = &o->plan->topology;
    struct plan_client client;
    struct hagg_err err;

    for (size_t i = 0; i < t->n_clients && o->relay == 0; i++)
        if ((!o->clients ||
             rangeset_overlap(o->clients, t->clients[i].number, t->clients[i].number) > 0) &&
            plan_client(o->plan, t->clients[i].number, &client, &err) == 0 &&
            (o->station == 0 || client.key_station <= o->station))
            return client.number;
    return 0;
}

int aggregate_check_nothing(const struct aggregate *a, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    const char *what = "vector";
    size_t tier = o->relay > 0;
    uint32_t client = 0;

    /* a relay that is used has nothing if the stations that send to it are missing */
    if (!o->plan || o->skip_incomplete ||
        (o->relay > 0 && topology_spares(&o->plan->topology, 0) > 0))
        return 0;
    if (o->only != AGGREGATE_KEYS)
        client =
            plan_patterns_first_client(o->plan, o->clients, PLAN_SHARES, tier, node_at(o, tier));
    if (client == 0 && o->only != AGGREGATE_SHARES) {
        what = "key";
        client = o->plan->topology.full ? plan_patterns_first_client(o->plan, o->clients, PLAN_KEYS,
                                                                     tier, node_at(o, tier))
                                        : first_key(o);
    }
    if (client == 0)
        return 0;
    return err_set(err, HAGG_E_TOO_FEW,
                   "nothing to add up: the %s of client %u should have arrived here: get it, or "
                   "agree on the clients that remain and use --clients",
                   what, client);
}
