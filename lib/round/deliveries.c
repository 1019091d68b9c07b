#include "round/deliveries.h"

#include <stdlib.h>

#include "plan/plan_aligned.h"

/* Checks that there are enough clients and, under partial collusion, that the stations with their
 * keys are present. */
static int check_clients(const struct deliveries *d, const struct protocol_presence *presence,
                         struct hagg_err *err)
{
    const struct topology *t = &d->plan->topology;
    const struct rangeset *named = presence->clients;
    uint64_t n = 0;

    if (named && plan_check_clients(d->plan, named, err))
        return -1;
    for (size_t i = 0; i < t->n_clients; i++)
        n += protocol_has(d->round, (struct node){ NODE_CLIENT, t->clients[i].number });
    if (plan_check_total(d->plan, n, err))
        return -1;
    for (size_t i = 0; i < t->n_clients; i++)
        if (protocol_has(d->round, (struct node){ NODE_CLIENT, t->clients[i].number }) &&
            plan_check_reach(d->plan, &t->clients[i], presence->missing[0], err))
            return -1;
    for (size_t i = 0; i < t->n_clients && !t->full && !t->aligned; i++) {
        uint32_t station = plan_key_station(&t->groups[t->clients[i].group]);

        if (protocol_has(d->round, (struct node){ NODE_CLIENT, t->clients[i].number }) &&
            !protocol_has(d->round, (struct node){ NODE_STATION, station }))
            return err_set(err, HAGG_E_TOO_FEW,
                           "%s: client %u sends its key to station %u, which is missing: leave the "
                           "client out with --clients, or plan another station for the key",
                           d->plan->name, t->clients[i].number, station);
    }
    return 0;
}

struct filling {
    struct deliveries *d;
    size_t *n_complete[2]; /* of vectors and of keys, by sum of the relays: complete shares */
    size_t n_sums;         /* of stations, with protocol aligned */
};

/* A client sends what it cannot deliver itself to its courier. */
static int add_upload(struct deliveries *d, const struct message *s, struct hagg_err *err)
{
    const struct topology *t = &d->plan->topology;
    uint32_t client = s->from.number, station = s->to.number, planned;

    if (links_add(&d->uploads, client, s->courier > 0 ? s->courier : station, err) ||
        links_add_third(&d->received, station, client, s->courier, err))
        return -1;
    if (s->courier == 0)
        return 0;
    planned = topology_courier(&t->groups[topology_client(t, client)->group], station, NULL);
    if (planned != s->courier && links_add(&d->rerouted, client, s->courier, err))
        return -1;
    return links_add_third(&d->passed, s->courier, client, station, err);
}

static int add_message(void *filling, const struct message *s, struct hagg_err *err)
{
    struct filling *f = filling;
    struct deliveries *d = f->d;
    bool in_clear = s->stage->kind == HEADER_VECTOR;

    if (s->from.tier == NODE_CLIENT) {
        (in_clear ? d->has_keys : d->has_shares)[s->to.number] = true;
        return add_upload(d, s, err);
    }
    if (s->from.tier == NODE_RELAY) {
        d->relay_sends[s->from.number] |= s->complete;
        if (!in_clear)
            f->n_complete[s->stage->secret == HEADER_KEY][s->pattern] += s->complete;
        return 0;
    }
    if (in_clear) {
        d->chain[d->n_chain++] = s->from.number;
        d->chain_relay = s->to.tier == NODE_RELAY ? s->to.number : 0;
        return 0;
    }
    if (s->to.tier == NODE_STATION)
        return links_add(&d->deals, s->from.number, s->to.number, err);
    f->n_sums++;
    if (s->to.tier == NODE_RELAY)
        return links_add(&d->forwards, s->from.number, s->to.number, err);
    d->sends_sum[s->from.number] = true;
    return 0;
}

/* Returns how many stations send no sum because it is known to be zero. */
static size_t count_idle(const struct deliveries *d)
{
    const struct topology_list *stations = &d->plan->aligned->stations;
    size_t n = 0;

    for (size_t i = 0; i < stations->n; i++)
        n += protocol_has(d->round, (struct node){ NODE_STATION, stations->numbers[i] }) &&
             protocol_is_idle(d->round, stations->numbers[i]);
    return n;
}

/* Checks that enough shares of every sum reach the federator, with protocol keys through relays. A
 * relay's sum without some client is useless. */
static int check_complete(const struct filling *f, struct hagg_err *err)
{
    const struct deliveries *d = f->d;
    uint32_t spares = topology_spares(&d->plan->topology, 1);
    struct protocol_sum sum = { .tier = 1 };

    if (d->plan->topology.aligned && f->n_sums + count_idle(d) < d->plan->aligned->sharing.k)
        return err_set(
            err, HAGG_E_TOO_FEW,
            "%s: without the missing nodes only %zu sums reach the federator, and %u are "
            "needed: start the round when more nodes are available",
            d->plan->name, f->n_sums, d->plan->aligned->sharing.k);
    for (sum.what = PLAN_SHARES; sum.what <= PLAN_KEYS; sum.what++)
        for (sum.pattern = 0; sum.pattern < protocol_n_sums(d->round, sum.what, 1); sum.pattern++) {
            size_t n = f->n_complete[sum.what][sum.pattern];
            size_t n_holders = protocol_sum_holders(d->round, &sum)->n;

            if (protocol_sum_clients(d->round, &sum) > 0 && n + spares < n_holders)
                return err_set(
                    err, HAGG_E_TOO_FEW,
                    "%s: without the missing nodes only %zu shares of a sum reach the federator, "
                    "and %zu are needed: start the round when more nodes are available",
                    d->plan->name, n, n_holders - spares);
        }
    return 0;
}

/* Checks that the last station of the chain reaches a relay that is present. */
static int check_chain(const struct deliveries *d, struct hagg_err *err)
{
    const struct topology *t = &d->plan->topology;
    uint32_t last = t->n_stations;

    if (t->full || t->aligned || t->n_relays == 0 || d->chain_relay > 0)
        return 0;
    while (last > 1 && !protocol_has(d->round, (struct node){ NODE_STATION, last }))
        last--;
    return err_set(err, HAGG_E_TOO_FEW,
                   "%s: every relay that station %u, the last of the chain, reaches is missing: "
                   "start the round when one is available",
                   d->plan->name, last);
}

static int fill(struct filling *f, struct hagg_err *err)
{
    struct deliveries *d = f->d;

    if (protocol_each(d->round, add_message, f, err))
        return -1;
    links_sort(&d->uploads);
    links_sort(&d->received);
    links_sort(&d->passed);
    links_sort(&d->rerouted);
    links_sort(&d->forwards);
    links_sort(&d->deals);
    if (links_reverse(&d->deals, &d->dealt, err) || links_reverse(&d->forwards, &d->gathered, err))
        return -1;
    return check_complete(f, err) || check_chain(d, err) ? -1 : 0;
}

static int make_room(struct filling *f, struct hagg_err *err)
{
    struct deliveries *d = f->d;
    const struct topology *t = &d->plan->topology;

    d->has_shares = calloc(t->n_stations + UINT64_C(1), sizeof *d->has_shares);
    d->sends_sum = calloc(t->n_stations + UINT64_C(1), sizeof *d->sends_sum);
    d->has_keys = calloc(t->n_stations + UINT64_C(1), sizeof *d->has_keys);
    d->relay_sends = calloc(t->n_relays + UINT64_C(1), sizeof *d->relay_sends);
    d->chain = calloc(t->n_stations + UINT64_C(1), sizeof *d->chain);
    for (size_t what = 0; what < 2; what++) {
        f->n_complete[what] = calloc(protocol_n_sums(d->round, (enum plan_what)what, 1) + 1,
                                     sizeof *f->n_complete[what]);
        if (!f->n_complete[what])
            return err_errno(err, "%s", d->plan->name);
    }
    return d->has_shares && d->sends_sum && d->has_keys && d->relay_sends && d->chain
               ? 0
               : err_errno(err, "%s", d->plan->name);
}

int deliveries_new(struct deliveries *d, const struct plan *plan,
                   const struct protocol_presence *presence, struct hagg_err *err)
{
    struct filling f = { .d = d };
    int status = -1;

    *d = (struct deliveries){ .plan = plan };
    for (size_t tier = 0; tier < PLAN_TIERS; tier++)
        if (presence->missing[tier] && plan_check_missing(plan, tier, presence->missing[tier], err))
            return -1;
    d->round = protocol_open(plan, presence, err);
    if (d->round && check_clients(d, presence, err) == 0 && make_room(&f, err) == 0)
        status = fill(&f, err);
    free(f.n_complete[0]);
    free(f.n_complete[1]);
    if (status)
        deliveries_free(d);
    return status;
}

void deliveries_free(struct deliveries *d)
{
    protocol_free(d->round);
    links_free(&d->uploads);
    links_free(&d->received);
    links_free(&d->passed);
    links_free(&d->rerouted);
    links_free(&d->forwards);
    links_free(&d->gathered);
    links_free(&d->deals);
    links_free(&d->dealt);
    free(d->has_shares);
    free(d->sends_sum);
    free(d->has_keys);
    free(d->relay_sends);
    free(d->chain);
    *d = (struct deliveries){ 0 };
}
