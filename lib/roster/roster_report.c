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

int roster_write(const struct roster *r, int fd, const char *name, struct hagg_err *err)
{
    struct header h = {
        .kind = HEADER_ROSTER,
        .from = node_in_header(issuer(r)),
        .has_round = true,
        .round = r->options->round,
        .clients = r->complete.ranges,
        .n_clients = r->complete.n,
        .has_plan = true,
    };
    struct writer *w = writer_new(fd, name, err);
    int status = -1;

    memcpy(h.plan, r->options->plan->digest, sizeof h.plan);
    if (w && writer_begin(w, &h, 1, 0, err) == 0)
        status = writer_end(w, err);
    writer_free(w);
    return status;
}

static int put_missing(const struct roster *r, struct json *j, struct hagg_err *err)
{
    struct rangeset stations = { 0 };
    uint32_t client;
    size_t at = 0;
    int found;

    json_open(j, "missing", '[');
    while ((found = roster_next_missing(r, &at, &client, &stations, err)) > 0) {
        json_open(j, NULL, '{');
        json_uint(j, "client", client);
        describe_ranges_json(j, "stations", stations.ranges, stations.n);
        json_close(j, '}');
        rangeset_free(&stations);
    }
    rangeset_free(&stations);
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
