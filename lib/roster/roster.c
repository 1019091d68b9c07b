#include "roster/roster.h"

#include <stdlib.h>

#include "base/array.h"
#include "plan/plan_collusion.h"
#include "records/describe.h"
#include "roster/roster_state.h"

static bool is_in(const struct rangeset *set, uint32_t number)
{
    return set && rangeset_overlap(set, number, number) > 0;
}

bool roster_may_have(const struct roster *r, size_t client)
{
    const struct roster_options *o = r->options;

    return !o->clients || is_in(o->clients, o->plan->topology.clients[client].number);
}

/* A missing station is needed only for a key in the clear, of which there is no other copy. */
static bool is_needed(const struct roster *r, const struct roster_due *due)
{
    const struct roster_options *o = r->options;

    if (o->station > 0)
        return due->station == o->station;
    return due->kind == HEADER_VECTOR || !is_in(o->without, due->station);
}

bool roster_lacks(const struct roster *r, const struct roster_due *due)
{
    return is_needed(r, due) &&
           (due->file == 0 || due->other_run || is_in(r->options->without, due->station));
}

static int add_due(void *roster, const struct message *s, struct hagg_err *err)
{
    struct roster *r = roster;
    const struct topology *t = &r->options->plan->topology;
    struct roster_client *client;

    if (s->from.tier != NODE_CLIENT)
        return 0;
    if (ARRAY_RESERVE(r->dues, r->n_dues + 1, r->max_dues))
        return err_errno(err, "no memory for the messages of a round");
    client = &r->clients[topology_client(t, s->from.number) - t->clients];
    if (client->n++ == 0)
        client->first = r->n_dues;
    r->dues[r->n_dues++] = (struct roster_due){
        .station = s->to.number,
        .kind = s->stage->kind,
        .secret = s->stage->secret,
    };
    return 0;
}

static int fill(struct roster *r, struct hagg_err *err)
{
    const struct roster_options *o = r->options;
    const struct topology *t = &o->plan->topology;

    if (plan_check_nodes(o->plan, o->station, 0, err) ||
        (o->clients && plan_check_clients(o->plan, o->clients, err)) ||
        (o->without && plan_check_missing(o->plan, 0, o->without, err)))
        return -1;
    r->clients = calloc(t->n_clients + 1, sizeof *r->clients);
    r->reports = calloc(t->n_stations + (size_t)1, sizeof *r->reports);
    r->shares = calloc(t->n_stations + (size_t)1, sizeof *r->shares);
    if (!r->clients || !r->reports || !r->shares)
        return err_errno(err, "%s", o->plan->name);
    r->round = protocol_open(o->plan, NULL, err);
    return r->round ? protocol_each(r->round, add_due, r, err) : -1;
}

struct roster *roster_new(const struct roster_options *options, struct hagg_err *err)
{
    struct roster *r = calloc(1, sizeof *r);

    if (!r) {
        err_errno(err, "cannot set up a roster");
        return NULL;
    }
    r->options = options;
    if (fill(r, err) == 0)
        return r;
    roster_free(r);
    return NULL;
}

void roster_free(struct roster *r)
{
    if (!r)
        return;
    protocol_free(r->round);
    free(r->clients);
    free(r->dues);
    free(r->reports);
    free(r->shares);
    for (size_t i = 0; i < 2; i++)
        header_clear(&r->anchors[i].header);
    filecache_free(&r->files);
    verify_free(&r->verifier);
    rangeset_free(&r->complete);
    free(r);
}

/* Fails if there is neither a report nor a record from a station that has something of a client
 * that may be in the roster. */
static int check_stations(const struct roster *r, struct hagg_err *err)
{
    const struct roster_options *o = r->options;
    struct rangeset silent = { 0 };
    struct text names = { 0 };
    int status = 0;

    for (size_t i = 0; i < o->plan->topology.n_clients; i++) {
        const struct roster_client *client = &r->clients[i];

        for (size_t j = 0; j < client->n && roster_may_have(r, i); j++) {
            uint32_t station = r->dues[client->first + j].station;

            if (r->reports[station] == 0 && r->shares[station] == 0 && !is_in(o->without, station))
                status = status ? status : rangeset_add(&silent, station, station, err);
        }
    }
    if (status == 0 && silent.n > 0) {
        describe_ranges(&names, silent.ranges, silent.n);
        status = err_set(
            err, HAGG_E_TOO_FEW, "the report of station %s is missing: get it, or leave out %s",
            text_ok(&names) ? names.bytes : "",
            o->plan->topology.drop_stations > 0 ? "the station with --without"
                                                : "the clients of the station with --clients");
    }
    text_free(&names);
    rangeset_free(&silent);
    return status;
}

static bool is_complete(const struct roster *r, size_t client)
{
    const struct roster_client *c = &r->clients[client];
    bool has_any = false;

    for (size_t i = 0; i < c->n; i++) {
        if (roster_lacks(r, &r->dues[c->first + i]))
            return false;
        has_any = has_any || is_needed(r, &r->dues[c->first + i]);
    }
    return has_any;
}

int roster_find(struct roster *r, struct hagg_err *err)
{
    const struct roster_options *o = r->options;
    bool by_hand = o->station == 0 && r->files.n == 0;

    if (o->station == 0 && !by_hand && check_stations(r, err))
        return -1;
    for (size_t i = 0; i < o->plan->topology.n_clients; i++) {
        uint32_t number = o->plan->topology.clients[i].number;

        for (size_t j = 0; j < r->clients[i].n && by_hand; j++)
            r->dues[r->clients[i].first + j].file = SIZE_MAX;
        if (roster_may_have(r, i) && is_complete(r, i) &&
            rangeset_add(&r->complete, number, number, err))
            return -1;
    }
    return 0;
}

int roster_check(const struct roster *r, struct hagg_err *err)
{
    const struct roster_options *o = r->options;
    uint64_t n = rangeset_count(&r->complete);

    if (n == 0 && o->station > 0 &&
        protocol_first_client(r->round, PLAN_SHARES, (struct node){ NODE_STATION, o->station }) ==
            0)
        return err_set(err, HAGG_E_TOO_FEW,
                       "%s: no client uses station %u, so it has nothing to report, and nobody "
                       "waits for its report",
                       o->plan->name, o->station);
    if (n == 0 && o->station > 0)
        return err_set(err, HAGG_E_TOO_FEW,
                       "no client has delivered everything to station %u, so there is nothing to "
                       "report",
                       o->station);
    if (n == 0)
        return err_set(err, HAGG_E_TOO_FEW, "no client has delivered everything to its stations");
    if (o->station > 0)
        return 0;
    if (plan_check_total(o->plan, n, err))
        return -1;
    return plan_collusion_accept(o->plan, &r->complete, o->unsafe_plan, err);
}

const struct rangeset *roster_clients(const struct roster *r)
{
    return &r->complete;
}

int roster_next_gap(const struct roster *r, size_t *at, struct roster_gap *gap,
                    struct hagg_err *err)
{
    const struct topology *t = &r->options->plan->topology;

    for (; *at < t->n_clients; ++*at) {
        const struct roster_client *c = &r->clients[*at];

        for (size_t i = 0; i < c->n && roster_may_have(r, *at); i++) {
            const struct roster_due *due = &r->dues[c->first + i];
            struct rangeset *set = due->file > 0 && due->other_run ? &gap->mixed : &gap->missing;

            if (roster_lacks(r, due) && rangeset_add(set, due->station, due->station, err))
                return -1;
        }
        if (gap->missing.n > 0 || gap->mixed.n > 0) {
            gap->client = t->clients[(*at)++].number;
            gap->like = c->station;
            return 1;
        }
    }
    return 0;
}

void roster_gap_free(struct roster_gap *gap)
{
    rangeset_free(&gap->missing);
    rangeset_free(&gap->mixed);
    *gap = (struct roster_gap){ 0 };
}
