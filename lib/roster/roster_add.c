#include <string.h>

#include "plan/plan_digest.h"
#include "protocol/record_check.h"
#include "records/agree.h"
#include "records/stream.h"
#include "roster/roster_state.h"

static const char *file_name(const struct roster *r, size_t file)
{
    return filecache_name(&r->files, file - 1);
}

/* Checks that the record describes the same vectors as those before. A key describes less, so there
 * is one anchor for keys and one for vectors. */
static int check_vectors(struct roster *r, const struct reader *in, struct hagg_err *err)
{
    const struct header *h = reader_header(in);
    size_t own = h->secret == HEADER_KEY;

    for (size_t i = 0; i < 2; i++)
        if (r->anchors[i].file > 0 &&
            agree_on_round(&r->anchors[i].header, file_name(r, r->anchors[i].file), h,
                           reader_name(in), err))
            return -1;
    if (r->anchors[own].file == 0 && agree_copy(&r->anchors[own].header, h, err))
        return -1;
    if (r->anchors[own].file == 0)
        r->anchors[own].file = r->files.n;
    return 0;
}

/* Returns true if something that the client sent to the station is from the same run of hagg-share
 * as everything of it before. */
static bool is_same_run(const struct roster *r, struct roster_client *client, uint32_t station,
                        const uint8_t id[HEADER_RUN_BYTES])
{
    if (client->file == 0) {
        client->file = r->files.n;
        client->station = station;
        memcpy(client->id, id, sizeof client->id);
    }
    return memcmp(client->id, id, sizeof client->id) == 0;
}

/* Checks that all records of the client are from one run of hagg-share. */
static int check_run(struct roster *r, struct roster_client *client, const struct reader *in,
                     struct hagg_err *err)
{
    static const uint8_t unknown[HEADER_RUN_BYTES];
    const struct header *h = reader_header(in);

    if (is_same_run(r, client, h->to.number, h->has_id ? h->id : unknown))
        return 0;
    return reader_fail(in, err, HAGG_E_MISMATCH,
                       "is from another run of hagg-share than %s: get all records of client %u "
                       "from one run",
                       file_name(r, client->file), h->from.number);
}

static int check_new(const struct roster *r, uint32_t station, size_t earlier,
                     const struct reader *in, struct hagg_err *err)
{
    return earlier == 0
               ? 0
               : reader_fail(in, err, HAGG_E_MISMATCH,
                             "station %u has already reported, or its records were read: see %s",
                             station, file_name(r, earlier));
}

/* A record from a client, which record_check_here has accepted. */
static int add_delivery(struct roster *r, struct reader *in, struct hagg_err *err)
{
    const struct topology *t = &r->options->plan->topology;
    const struct header *h = reader_header(in);
    const struct topology_client *sender;
    struct roster_client *client;
    struct roster_due *due;
    enum verify_result result;

    if (strcmp(h->from.tier, node_tier_name(NODE_CLIENT)))
        return reader_fail(in, err, HAGG_E_MISMATCH,
                           "is not from a client: remove it from the input files");
    sender = topology_client(t, h->from.number);
    client = &r->clients[sender - t->clients];
    due = r->dues + client->first;
    while (due->station != h->to.number || due->kind != h->kind || due->secret != h->secret)
        due++;
    if (check_new(r, h->to.number, r->reports[h->to.number], in, err) ||
        check_vectors(r, in, err) || check_run(r, client, in, err))
        return -1;
    if (due->file > 0)
        return reader_fail(in, err, HAGG_E_MISMATCH,
                           "is a second copy of the %s of client %u for station %u: see %s",
                           h->secret == HEADER_KEY ? "key" : "vector", h->from.number, h->to.number,
                           file_name(r, due->file));
    if (verify_record(&r->verifier, in, &result, err))
        return -1;
    if (result != VERIFY_OK)
        return reader_fail(in, err, HAGG_E_SYSTEM,
                           "cannot be verified: the plugin of its field or scheme cannot be used");
    due->file = r->files.n;
    if (r->shares[h->to.number] == 0)
        r->shares[h->to.number] = r->files.n;
    return 0;
}

/* Marks everything that the client sends to the station as delivered, from this run. */
static int add_reported(struct roster *r, size_t index, uint32_t station, const struct runs *runs,
                        const struct reader *in, struct hagg_err *err)
{
    static const uint8_t unknown[HEADER_RUN_BYTES];
    struct roster_client *client = &r->clients[index];
    const uint8_t *id = runs_of(runs, r->options->plan->topology.clients[index].number);
    bool same = is_same_run(r, client, station, id ? id : unknown), found = false;

    for (size_t i = 0; i < client->n; i++) {
        struct roster_due *due = &r->dues[client->first + i];

        if (due->station == station) {
            due->file = r->files.n;
            due->other_run = !same;
            found = true;
        }
    }
    return found ? 0
                 : reader_fail(in, err, HAGG_E_MISMATCH,
                               "lists client %u, which does not send to station %u in the plan",
                               r->options->plan->topology.clients[index].number, station);
}

/* Checks the header of a report. */
static int check_report(const struct roster *r, const struct reader *in, struct hagg_err *err)
{
    const struct topology *t = &r->options->plan->topology;
    const struct header *h = reader_header(in);
    uint32_t station = h->from.number;

    if (!plan_digest_is(r->options->plan, h))
        return plan_digest_fail(r->options->plan, in, "", err);
    if (strcmp(h->from.tier, node_tier_name(NODE_STATION)))
        return reader_fail(in, err, HAGG_E_MISMATCH,
                           "is a roster from %s %u, not the report of a station", h->from.tier,
                           station);
    if (station > t->n_stations)
        return reader_fail(in, err, HAGG_E_MISMATCH, "is from station %u, which is not in the plan",
                           station);
    if (check_new(r, station, r->reports[station] > 0 ? r->reports[station] : r->shares[station],
                  in, err))
        return -1;
    for (size_t i = 0; i < h->n_clients; i++)
        if (!topology_clients(t, h->clients[i].first, h->clients[i].last))
            return reader_fail(in, err, HAGG_E_MISMATCH, "lists clients that are not in the plan");
    if (reader_n_elems(in) == 0)
        return reader_fail(in, err, HAGG_E_MISMATCH,
                           "does not name the runs of hagg-share: make the report from the records "
                           "of the clients with hagg-roster --station");
    return 0;
}

static int add_report(struct roster *r, struct reader *in, struct hagg_err *err)
{
    const struct topology *t = &r->options->plan->topology;
    const struct header *h = reader_header(in);
    struct runs runs = { 0 };
    int status = check_report(r, in, err) || runs_read(&runs, in, err) ? -1 : 0;

    if (status == 0)
        r->reports[h->from.number] = r->files.n;
    for (size_t i = 0; i < h->n_clients && status == 0; i++) {
        const struct header_range *range = &h->clients[i];
        const struct topology_client *c = topology_clients(t, range->first, range->last);

        for (size_t j = 0; j <= range->last - range->first && status == 0; j++)
            status = add_reported(r, (size_t)(c - t->clients) + j, h->from.number, &runs, in, err);
    }
    runs_free(&runs);
    return status;
}

static int add_record(void *roster, struct reader *in, struct hagg_err *err)
{
    struct roster *r = roster;
    bool is_report = reader_header(in)->kind == HEADER_ROSTER;
    int here;

    if (record_check_round(&r->options->round, in, err))
        return -1;
    if (is_report)
        return add_report(r, in, err);
    here = record_check_here(r->round, in, (struct node){ NODE_STATION, r->options->station }, err);
    /* a mask lies beside the shares, but is not from a client; records for other stations are
     * passed on by a courier */
    return here < 0                                               ? -1
           : here > 0 || reader_header(in)->secret == HEADER_MASK ? 0
                                                                  : add_delivery(r, in, err);
}

int roster_add(struct roster *r, const char *path, struct hagg_err *err)
{
    unsigned accept;
    size_t file;

    if (filecache_add(&r->files, path, &file, err))
        return -1;
    /* a pipe is empty if no client has sent anything to the station */
    accept = r->options->station == 0 ? STREAM_ANY_KIND : strcmp(path, "-") ? 0 : STREAM_EMPTY;
    return stream_each(path, accept, r->options->opener, add_record, r, err);
}
