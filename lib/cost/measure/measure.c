#include "cost/measure/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "records/agree.h"
#include "cost/count/record_sizes.h"
#include "cost/measure/measure_report.h"
#include "cost/measure/measure_state.h"
#include "protocol/record_check.h"
#include "cost/measure/record_files.h"
#include "records/stream.h"

static int open_rounds(struct measure *m, struct hagg_err *err)
{
    const struct protocol_presence present = { .clients = m->options->presence.clients };

    m->round = protocol_open(m->options->plan, NULL, err);
    m->present = m->round ? protocol_open(m->options->plan, &present, err) : NULL;
    return m->present ? 0 : -1;
}

struct measure *measure_new(const struct measure_options *options, struct hagg_err *err)
{
    struct measure *m = calloc(1, sizeof *m);

    if (!m) {
        err_errno(err, "cannot set up a measurement");
        return NULL;
    }
    m->options = options;
    if (options->plan && open_rounds(m, err)) {
        measure_free(m);
        return NULL;
    }
    return m;
}

void measure_free(struct measure *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < sizeof m->anchors / sizeof *m->anchors; i++) {
        header_clear(&m->anchors[i].header);
        free(m->anchors[i].file);
        protocol_headers_free(m->headers[i]);
    }
    verify_free(&m->verifier);
    protocol_free(m->present);
    protocol_free(m->round);
    free(m->sent);
    free(m);
}

/* The records of keys and masks do not describe the vector, so there is one anchor for them and one
 * for the others. */
static size_t anchor_of(const struct header *h)
{
    return h->secret == HEADER_KEY || h->secret == HEADER_MASK;
}

/* Checks that the record is of the same round as those before. */
static int check_round(struct measure *m, const struct reader *r, struct hagg_err *err)
{
    const struct header *h = reader_header(r);
    struct measure_anchor *own = &m->anchors[anchor_of(h)];

    for (size_t i = 0; i < sizeof m->anchors / sizeof *m->anchors; i++)
        if (m->anchors[i].file &&
            agree_on_round(&m->anchors[i].header, m->anchors[i].file, h, reader_name(r), err))
            return -1;
    if (own->file)
        return 0;
    if (agree_copy(&own->header, h, err))
        return -1;
    own->file = strdup(reader_name(r));
    return own->file ? 0 : err_errno(err, "%s", reader_name(r));
}

/* Sets *left_out if the record is of a client that does not take part. Fails for a sum that
 * includes such a client. */
static int check_presence(const struct measure *m, const struct reader *r, bool *left_out,
                          struct hagg_err *err)
{
    const struct rangeset *clients = m->options->presence.clients;
    const struct header *h = reader_header(r);
    uint64_t n_inside = 0;

    for (size_t i = 0; i < h->n_clients && clients; i++)
        n_inside += rangeset_overlap(clients, h->clients[i].first, h->clients[i].last);
    *left_out = clients && n_inside < header_count_clients(h);
    if (*left_out && strcmp(h->from.tier, "client"))
        return reader_fail(
            r, err, HAGG_E_MISMATCH,
            "is a sum that includes clients outside --clients: name all clients in the sums");
    return 0;
}

static struct measure_sent *new_sent(struct measure *m, struct hagg_err *err)
{
    if (ARRAY_RESERVE(m->sent, m->n_sent + 1, m->max_sent)) {
        err_errno(err, "no memory for one more record");
        return NULL;
    }
    return &m->sent[m->n_sent];
}

/* Not sent: records without an addressee (keys, some sums), records from a node to itself, and
 * shares made from transfers, which have no sender and are already at their holder. */
static bool is_not_sent(const struct header *h)
{
    return !header_has_vector(h) || !h->to.tier[0] ||
           (!h->from.tier[0] && (h->has_mix || h->n_layout > 0)) ||
           (strcmp(h->to.tier, h->from.tier) == 0 && h->to.number == h->from.number);
}

static struct protocol_headers *open_headers(const struct measure *m, const struct header *anchor,
                                             struct hagg_err *err)
{
    struct protocol_vector v = {
        .has_round = anchor->has_round,
        .round = anchor->round,
        .length = anchor->length,
        .has_shape = anchor->has_shape,
        .shape = anchor->shape,
        .n_shape = anchor->n_shape,
        .has_ids = true,
    };

    memcpy(v.type, anchor->type, sizeof v.type);
    return protocol_headers_new(m->present, &v, err);
}

/* Sets the courier and the predicted bytes of a record of the plan. */
static int set_message(struct measure *m, const struct header *h, struct measure_sent *sent,
                       struct hagg_err *err)
{
    const struct rangeset *const *missing = m->options->presence.missing;
    const size_t anchor = anchor_of(h);
    const struct header *predicted;
    struct header own;
    struct message s;

    if (!protocol_find(m->round, h, &s))
        return 0;
    sent->courier = s.courier;
    if (sent->left_out)
        return 0;
    if (!m->headers[anchor] &&
        !(m->headers[anchor] = open_headers(m, &m->anchors[anchor].header, err)))
        return -1;
    predicted =
        protocol_headers_of(m->headers[anchor], &s, missing[0] || missing[1] ? h : NULL, err);
    if (!predicted)
        return -1;
    own = *predicted;
    own.has_id = own.has_id && h->has_id;
    own.has_mix = own.has_mix && h->has_mix;
    sent->n_predicted_bytes = record_size(m->options->plan, &s, &own);
    return 0;
}

static int add_record(void *measure, struct reader *r, struct hagg_err *err)
{
    struct measure *m = measure;
    const struct header *h = reader_header(r);
    struct measure_sent *sent;
    enum verify_result result;
    struct hagg_err cause = { 0 };
    bool left_out = false;

    if (is_not_sent(h)) {
        *(h->kind == HEADER_ROSTER ? &m->n_rosters : &m->n_kept) += 1;
        return verify_record(&m->verifier, r, &result, err);
    }
    if (m->round && (record_check(m->round, r, err) || check_round(m, r, err) ||
                     check_presence(m, r, &left_out, err)))
        return -1;
    sent = new_sent(m, err);
    if (!sent)
        return -1;
    *sent = (struct measure_sent){
        .left_out = left_out,
        .n_symbols = h->seed ? 0 : reader_n_elems(r),
        .n_seeds = h->seed,
    };
    if (m->round && set_message(m, h, sent, err))
        return -1;
    if (flow_of(&sent->flow, &m->tiers, &h->from, &h->to, flow_what_of(h->kind, h->secret), &cause))
        return reader_fail(r, err, cause.status, "%s", cause.text);
    if (verify_record(&m->verifier, r, &result, err))
        return -1;
    sent->n_bytes = reader_len_bytes(r);
    memcpy(sent->digest, reader_digest(r), sizeof sent->digest);
    m->n_sent++;
    m->in_part = m->in_part || h->symbols.end > 0;
    return 0;
}

static int add_file(void *measure, const char *path, struct hagg_err *err)
{
    struct measure *m = measure;

    m->n_files++;
    return stream_each(path, STREAM_EMPTY | STREAM_ANY_KIND, NULL, add_record, m, err);
}

int measure_add(struct measure *m, const char *path, struct hagg_err *err)
{
    return record_files_each(path, add_file, m, &m->n_other_files, err);
}

static int compare_digests(const void *x, const void *y)
{
    const struct measure_sent *a = x, *b = y;

    return memcmp(a->digest, b->digest, sizeof a->digest);
}

/* Of a record that a courier passes on: the first copy is that of the courier, the second that of
 * the station. */
static void set_link(struct measure_sent *sent, size_t copy)
{
    if (sent->courier == 0)
        return;
    if (copy == 0)
        sent->flow.to = sent->courier;
    else {
        sent->flow.from = sent->courier;
        sent->flow.from_tier = sent->flow.to_tier;
    }
}

/* Keeps one copy of each record for each link on its way. Returns the number of copies dropped. */
static uint64_t drop_duplicates(struct measure *m)
{
    size_t n = 0, n_before = m->n_sent;

    qsort(m->sent, m->n_sent, sizeof *m->sent, compare_digests);
    for (size_t i = 0, copy = 0; i < n_before; i++) {
        copy = i > 0 && compare_digests(&m->sent[n - 1], &m->sent[i]) == 0 ? copy + 1 : 0;
        if (copy > (m->sent[i].courier > 0))
            continue;
        m->sent[n] = m->sent[i];
        set_link(&m->sent[n++], copy);
    }
    m->n_sent = n;
    return n_before - n;
}

int measure_finish(struct measure *m, struct measure_result *result, struct hagg_err *err)
{
    *result = (struct measure_result){
        .has_plan = m->options->plan != NULL,
        .n_files = m->n_files,
        .n_other_files = m->n_other_files,
        .n_kept = m->n_kept,
        .n_rosters = m->n_rosters,
    };
    if (m->n_sent == 0)
        return err_set(err, HAGG_E_TOO_FEW, "nothing to measure: no record names its addressee");
    for (size_t i = 0; i < sizeof m->anchors / sizeof *m->anchors; i++)
        if (m->anchors[i].file)
            result->length = m->anchors[i].header.length;
    result->n_duplicates = drop_duplicates(m);
    if (measure_compare(m, result, err) == 0)
        return 0;
    measure_result_free(result);
    return -1;
}

void measure_result_free(struct measure_result *result)
{
    free(result->rows);
    free(result->differences);
    *result = (struct measure_result){ 0 };
}

/* What to do if nodes are known to be missing. */
static const char *advice(const struct measure_difference *d)
{
    if (d->sent.n_records > 0)
        return "";
    if (strcmp(d->from.tier, "client") == 0)
        return ": if clients dropped out, name the remaining ones with --clients";
    return ": if stations or relays failed, name them with --without";
}

int measure_verdict(const struct measure_result *result, struct hagg_err *err)
{
    const struct measure_difference *d = result->differences;
    struct text text = { 0 };
    int status;

    if (result->n_differences == 0)
        return 0;
    measure_report_difference(&text, d);
    if (result->n_differences > 1)
        text_printf(&text, ", and %zu more difference%s", result->n_differences - 1,
                    result->n_differences == 2 ? "" : "s");
    status = text_ok(&text) ? err_set(err, HAGG_E_MISMATCH, "%s%s", text.bytes, advice(d))
                            : err_errno(err, "no memory for a report");
    text_free(&text);
    return status;
}
