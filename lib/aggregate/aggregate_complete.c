#include "aggregate/aggregate_complete.h"

#include <stdlib.h>

#include "plan/plan_collusion.h"

/* Returns the class of the group's vectors, or of its keys if the sum is of keys. */
static uint32_t class_of(const struct protocol *round, const struct protocol_sum *sum,
                         uint32_t group)
{
    struct protocol_classes classes = protocol_classes_of(round, group);

    return sum->what == PLAN_KEYS ? classes.key : classes.vector;
}

/* Returns true if a client of the same class arrived. Then the sum of the client's stations
 * arrived, and lacks this client because the stations left it out. */
static bool is_left_out(const struct topology *t, const struct protocol *round,
                        const struct protocol_sum *sum, size_t client,
                        const struct contributors *came)
{
    uint32_t class = class_of(round, sum, t->clients[client].group);

    for (size_t i = 0; i < t->n_clients; i++)
        if (class_of(round, sum, t->clients[i].group) == class &&
            contributors_has(came, t->clients[i].number))
            return true;
    return false;
}

/* Fails, naming the first client of the sum that takes part and did not arrive. */
static int refuse(const struct aggregate_options *o, const struct protocol *round,
                  const struct protocol_sum *sum, const struct contributors *came,
                  struct hagg_err *err)
{
    const struct topology *t = &o->plan->topology;
    const char *what = sum->what == PLAN_KEYS ? "key" : "vector";
    bool spares = topology_spares(t, sum->tier) > 0;
    const char *without = spares ? ", or continue without it with --skip-incomplete" : "";
    size_t i = 0;
    uint32_t number;

    while (!protocol_sum_has(round, sum, t->clients[i].group) ||
           !protocol_has(round, (struct node){ NODE_CLIENT, t->clients[i].number }) ||
           contributors_has(came, t->clients[i].number))
        i++;
    number = t->clients[i].number;
    if (sum->tier > 0 && is_left_out(t, round, sum, i, came))
        return err_set(err, HAGG_E_TOO_FEW,
                       "the sums from the stations lack the %s of client %u: use the same "
                       "--roster as the stations%s",
                       what, number, without);
    if (sum->tier > 0 && t->transform)
        return err_set(err, HAGG_E_TOO_FEW,
                       "the share of the sums that contain the %s of client %u is missing: finish "
                       "the transfers from its stations with hagg-transform, or, if the stations "
                       "left the client out, use the same --roster%s",
                       what, number, without);
    if (sum->tier > 0 && o->relay > 0)
        return err_set(
            err, HAGG_E_TOO_FEW,
            "the sum from station %u that contains the %s of client %u is missing: get it%s",
            protocol_station_before(round, sum->what, t->clients[i].group, o->relay), what, number,
            without);
    if (o->has_roster)
        return err_set(err, HAGG_E_TOO_FEW,
                       "the share of the %s of client %u, who is in the roster, is missing: get it "
                       "from the client again%s",
                       what, number, spares ? ", or send no sum" : "");
    return err_set(err, HAGG_E_TOO_FEW,
                   "the share of the %s of client %u is missing: if no sum of this round was sent "
                   "yet, agree on the remaining clients with hagg-roster and use --roster at "
                   "every station, otherwise start a new round with new vectors%s",
                   what, number, spares ? ", or leave out its sum with --skip-incomplete" : "");
}

/* Returns the number of the station or relay given in the options; 0 for all. */
static uint32_t node_at(const struct aggregate_options *o, size_t tier)
{
    return tier == 0 ? o->station : o->relay;
}

/* record_check accepts only clients that belong to the sum, so counting them is enough. */
static int check_tier(struct aggregate *a, const struct protocol *round, struct protocol_sum sum,
                      struct hagg_err *err)
{
    static const struct contributors none;
    const struct aggregate_options *o = a->options;
    size_t n_sums = protocol_n_sums(round, sum.what, sum.tier);
    uint32_t node = node_at(o, sum.tier);
    bool *came = calloc(n_sums + 1, sizeof *came);
    int status = came ? 0 : err_errno(err, "%s", o->plan->name);

    for (struct aggregate_sum *g = a->sums; g && status == 0; g = g->next) {
        struct protocol_sum of;

        if (g->header.kind != HEADER_SHARE || !protocol_find_sum(round, &g->header, &of) ||
            of.what != sum.what || of.tier != sum.tier)
            continue;
        came[of.pattern] = true;
        g->skipped = g->clients.n_clients < protocol_sum_clients(round, &of);
        if (g->skipped && !o->skip_incomplete)
            status = refuse(o, round, &of, &g->clients, err);
    }
    /* if the station or relay is given, all its records must be present, so a sum without any is
     * incomplete too */
    for (sum.pattern = 0; sum.pattern < n_sums && status == 0; sum.pattern++)
        if (node > 0 && !o->skip_incomplete && !came[sum.pattern] &&
            protocol_sum_clients(round, &sum) > 0 &&
            topology_list_has(protocol_sum_holders(round, &sum), node))
            status = refuse(o, round, &sum, &none, err);
    free(came);
    return status;
}

static int check_what(struct aggregate *a, const struct protocol *round, enum plan_what what,
                      struct hagg_err *err)
{
    for (size_t tier = 0; tier < plan_tiers(a->options->plan); tier++)
        if (check_tier(a, round, (struct protocol_sum){ what, tier, 0 }, err))
            return -1;
    return 0;
}

static int check_survivors(const struct aggregate *a, const struct protocol *round,
                           struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    const struct topology *t = &o->plan->topology;
    uint64_t n = 0;

    /* count only clients of the plan: others protect nobody */
    for (size_t i = 0; i < t->n_clients; i++)
        n += protocol_has(round, (struct node){ NODE_CLIENT, t->clients[i].number });
    if (plan_check_total(o->plan, n, err))
        return -1;
    return plan_collusion_accept(o->plan, o->clients, o->unsafe_plan, err);
}

int aggregate_check_complete(struct aggregate *a, const struct protocol *round,
                             struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;

    if (!o->plan)
        return 0;
    if (check_survivors(a, round, err))
        return -1;
    if (o->only != AGGREGATE_KEYS && check_what(a, round, PLAN_SHARES, err))
        return -1;
    /* under partial collusion keys are not shared: see aggregate_write.c */
    return o->only != AGGREGATE_SHARES && o->plan->topology.full
               ? check_what(a, round, PLAN_KEYS, err)
               : 0;
}

int aggregate_check_nothing(const struct aggregate *a, struct hagg_err *err)
{
    const struct aggregate_options *o = a->options;
    struct node here = o->relay > 0 ? (struct node){ NODE_RELAY, o->relay }
                                    : (struct node){ NODE_STATION, o->station };
    enum plan_what what = PLAN_SHARES;
    uint32_t client = 0;

    if (!a->round && !a->has_records)
        return err_set(err, HAGG_E_TOO_FEW, "nothing to add up: the input has no records");
    /* a relay may have no records because the stations that send to it are missing */
    if (!a->round || o->skip_incomplete ||
        (o->relay > 0 && topology_spares(&o->plan->topology, 0) > 0))
        return 0;
    if (o->only != AGGREGATE_KEYS)
        client = protocol_first_client(a->round, what, here);
    if (client == 0 && o->only != AGGREGATE_SHARES)
        client = protocol_first_client(a->round, what = PLAN_KEYS, here);
    if (client == 0)
        return 0;
    return err_set(err, HAGG_E_TOO_FEW,
                   "nothing to add up: the %s of client %u is missing: get it, or agree on the "
                   "remaining clients with hagg-roster and use --roster",
                   what == PLAN_KEYS ? "key" : "vector", client);
}
