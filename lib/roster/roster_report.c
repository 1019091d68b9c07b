#include <string.h>

#include "records/describe.h"
#include "roster/roster_state.h"
#include "writer.h"

static struct node issuer(const struct roster *r)
{
    return r->options->station > 0 ? (struct node){ NODE_STATION, r->options->station }
                                   : NODE_THE_FEDERATOR;
}

int roster_remember(const struct roster *r, struct state *state, struct hagg_err *err)
{
    struct state_key key = {
        .plan = r->options->plan->digest,
        .node = node_in_header(issuer(r)),
        .what = STATE_ROSTER,
        .round = r->options->round,
    };

    if (r->options->station > 0)
        return 0;
    return state_claim_sum(state, &key, &r->complete, NULL, err) || state_commit(state, err) ? -1
                                                                                             : 0;
}

/* Writes the run of every client in the roster. */
static int write_runs(const struct roster *r, struct writer *w, struct hagg_err *err)
{
    const struct topology *t = &r->options->plan->topology;

    for (size_t i = 0; i < t->n_clients; i++)
        if (rangeset_overlap(&r->complete, t->clients[i].number, t->clients[i].number) > 0 &&
            writer_elems(w, r->clients[i].id, sizeof r->clients[i].id, err))
            return -1;
    return 0;
}

/* Writes the record for one node; to is all zero if it is not sealed. */
static int write_for(const struct roster *r, struct header_node to, struct writer *w,
                     struct hagg_err *err)
{
    bool by_hand = r->files.n == 0;
    struct header h = {
        .to = to,
        .kind = HEADER_ROSTER,
        .from = node_in_header(issuer(r)),
        .has_round = true,
        .round = r->options->round,
        .clients = r->complete.ranges,
        .n_clients = r->complete.n,
        .has_plan = true,
    };

    memcpy(h.plan, r->options->plan->digest, sizeof h.plan);
    if (writer_begin(w, &h, 1, by_hand ? 0 : HEADER_RUN_BYTES * rangeset_count(&r->complete),
                     err) ||
        (!by_hand && write_runs(r, w, err)))
        return -1;
    return writer_end(w, err);
}

/* A sealed record is for one node. A report is for the federator, and the roster for all stations,
 * all relays and the federator itself. */
static int write_sealed(const struct roster *r, struct writer *w, struct hagg_err *err)
{
    const struct topology *t = &r->options->plan->topology;
    bool is_report = r->options->station > 0;
    uint32_t n_stations = is_report ? 0 : t->n_stations, n_relays = is_report ? 0 : t->n_relays;
    int status = write_for(r, node_in_header(NODE_THE_FEDERATOR), w, err);

    for (uint32_t u = 1; u <= n_stations && status == 0; u++)
        status = write_for(r, node_in_header((struct node){ NODE_STATION, u }), w, err);
    for (uint32_t m = 1; m <= n_relays && status == 0; m++)
        status = write_for(r, node_in_header((struct node){ NODE_RELAY, m }), w, err);
    return status;
}

int roster_write(const struct roster *r, int fd, const char *name, struct hagg_err *err)
{
    struct writer *w = writer_new(fd, name, err);
    int status = -1;

    if (w && r->options->sealer) {
        writer_set_sealer(w, r->options->sealer, NULL);
        status = write_sealed(r, w, err);
    } else if (w)
        status = write_for(r, (struct header_node){ 0 }, w, err);
    writer_free(w);
    return status;
}

static int put_missing(const struct roster *r, struct json *j, struct hagg_err *err)
{
    struct roster_gap gap = { 0 };
    size_t at = 0;
    int found;

    json_open(j, "missing", '[');
    while ((found = roster_next_gap(r, &at, &gap, err)) > 0) {
        json_open(j, NULL, '{');
        json_uint(j, "client", gap.client);
        describe_ranges_json(j, "stations", gap.missing.ranges, gap.missing.n);
        if (gap.mixed.n > 0)
            describe_ranges_json(j, "mixed", gap.mixed.ranges, gap.mixed.n);
        json_close(j, '}');
        roster_gap_free(&gap);
    }
    roster_gap_free(&gap);
    json_close(j, ']');
    return found;
}

int roster_json(const struct roster *r, struct text *t, struct hagg_err *err)
{
    struct header_node from = node_in_header(issuer(r));
    struct json j = { .text = t };

    json_open(&j, NULL, '{');
    json_hex(&j, "plan", r->options->plan->digest, sizeof r->options->plan->digest);
    json_uint(&j, "round", r->options->round);
    describe_node_json(&j, "from", &from);
    describe_ranges_json(&j, "clients", r->complete.ranges, r->complete.n);
    if (put_missing(r, &j, err))
        return -1;
    json_close(&j, '}');
    text_printf(t, "\n");
    return text_ok(t) ? 0 : err_errno(err, "no memory for the roster");
}
