#include "cost/measure/measure_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cost/count/sheet.h"

/* The rounds in which a message is certainly sent: with all nodes, and without the missing ones. */
enum { WITH_ALL = 1, WITHOUT_MISSING = 2 };

struct amount {
    uint64_t n_symbols, n_bytes;
};

struct expected {
    struct flow flow;
    uint64_t id;
    uint32_t origin;            /* the number of the sender, whose record a courier passes on */
    unsigned certain;           /* in these rounds */
    struct amount all, without; /* with all nodes, and without the missing ones */
    struct amount most;         /* in any round */
    uint64_t n_seeds;
};

struct prediction {
    struct flow_tiers *tiers;
    uint64_t length;
    struct bytes_options records;
    unsigned certain;           /* rounds of the messages being added */
    struct record_sizes *sizes; /* of their records */
    struct expected *messages;
    size_t n, max;
    /* Records have parts of shares, so stations sent what the number of present ones required; and
     * some sent more than all of them require, because nodes were missing. */
    bool in_part, more;
};

static struct amount if_in(bool is_in, struct amount amount)
{
    return is_in ? amount : (struct amount){ 0 };
}

static int expect(void *prediction, const struct message *s, struct hagg_err *err)
{
    struct node way[SHEET_MOST_HOPS + 1];
    struct prediction *p = prediction;
    size_t n_hops = sheet_hops(s, way);
    struct amount amount = { .n_symbols = sheet_size_of(s, p->length).n_symbols };

    if (n_hops > 0 && record_sizes_of(p->sizes, s, &amount.n_bytes, err))
        return -1;
    if (ARRAY_RESERVE(p->messages, p->n + n_hops, p->max))
        return err_errno(err, "no memory for the messages of the plan");
    for (size_t i = 0; i < n_hops; i++) {
        struct header_node from = node_in_header(way[i]), to = node_in_header(way[i + 1]);
        struct expected *e = &p->messages[p->n++];

        *e = (struct expected){
            .id = s->id,
            .origin = s->from.number,
            .certain =
                s->complete ? p->certain : 0, /* a sum without some client is not passed on */
            .all = if_in((p->certain & WITH_ALL) != 0, amount),
            .without = if_in((p->certain & WITHOUT_MISSING) != 0, amount),
            .most = amount,
            .n_seeds = s->seed,
        };
        if (flow_of(&e->flow, p->tiers, &from, &to, flow_what_of(s->stage->kind, s->stage->secret),
                    err))
            return -1;
    }
    return 0;
}

static int expect_round(struct prediction *p, const struct plan *plan,
                        struct protocol_presence presence, unsigned certain, struct hagg_err *err)
{
    struct protocol *round;
    int status;

    presence.prefixes = p->in_part && certain != 0;
    presence.stand_by = (certain & WITHOUT_MISSING) != 0;
    round = protocol_open(plan, &presence, err);
    p->certain = certain;
    p->sizes = round ? record_sizes_new(round, &p->records, err) : NULL;
    status = p->sizes ? protocol_each(round, expect, p, err) : -1;
    record_sizes_free(p->sizes);
    protocol_free(round);
    return status;
}

static int by_flow_sent(const void *x, const void *y)
{
    const struct measure_sent *a = x, *b = y;

    return flow_compare(&a->flow, &b->flow);
}

static int by_flow_expected(const void *x, const void *y)
{
    const struct expected *a = x, *b = y;
    int order = flow_compare(&a->flow, &b->flow);

    order = order ? order : (a->id > b->id) - (a->id < b->id);
    return order ? order : (a->origin > b->origin) - (a->origin < b->origin);
}

static struct amount larger(struct amount a, struct amount b)
{
    return a.n_bytes > b.n_bytes ? a : b;
}

static void merge_message(struct expected *to, const struct expected *e)
{
    to->certain |= e->certain;
    to->all = larger(to->all, e->all);
    to->without = larger(to->without, e->without);
    to->most = larger(to->most, e->most);
}

/* Sorts the messages and merges equal ones. */
static void merge_equal(struct prediction *p)
{
    size_t n = 0;

    if (p->n > 0)
        qsort(p->messages, p->n, sizeof *p->messages, by_flow_expected);
    for (size_t i = 0; i < p->n; i++)
        if (n > 0 && by_flow_expected(&p->messages[n - 1], &p->messages[i]) == 0)
            merge_message(&p->messages[n - 1], &p->messages[i]);
        else
            p->messages[n++] = p->messages[i];
    p->n = n;
}

/* A missing node can have failed at any time, stations before relays or after. So a message may
 * have been sent if it is sent with or without any of the missing nodes. It was certainly sent if
 * it is sent both with all nodes and without the missing ones. A node that sends shares in part may
 * have sent whole shares before it failed. A sum that stands by in the end may have been sent. */
static int predict_all(struct prediction *p, const struct measure_options *o, struct hagg_err *err)
{
    const struct rangeset *const *out = o->presence.missing;
    struct protocol_presence who = { .clients = o->presence.clients };
    bool varies = out[0] || out[1] ? p->in_part : protocol_has_stand_by(o->plan);

    if (expect_round(p, o->plan, who, WITH_ALL | (out[0] || out[1] ? 0 : WITHOUT_MISSING), err) ||
        (varies && expect_round(p, o->plan, who, 0, err)))
        return -1;
    for (size_t tier = 0; tier < PLAN_TIERS; tier++) {
        if (!out[tier])
            continue;
        who = (struct protocol_presence){ .clients = o->presence.clients };
        who.missing[tier] = out[tier];
        if (out[1 - tier] && expect_round(p, o->plan, who, 0, err))
            return -1;
    }
    if ((out[0] || out[1]) && expect_round(p, o->plan, o->presence, WITHOUT_MISSING, err))
        return -1;
    merge_equal(p);
    return 0;
}

static void add(struct measure_count *to, const struct measure_count *c)
{
    to->n_records += c->n_records;
    to->n_symbols += c->n_symbols;
    to->n_seeds += c->n_seeds;
    to->n_bytes += c->n_bytes;
    to->price += c->price;
}

static bool is_certain(const struct expected *e)
{
    return e->certain == (WITH_ALL | WITHOUT_MISSING);
}

/* Adds a message, which may have been sent in several records, to the least and the most that was
 * sent. */
static void count(const struct prediction *p, const struct expected *e, struct measure_count *least,
                  struct measure_count *most)
{
    struct amount amount = !is_certain(e) ? e->most : p->more ? e->without : e->all;
    bool whole = !p->more || (is_certain(e) && e->without.n_symbols == e->all.n_symbols);
    struct measure_count one = { .n_records = 1,
                                 .n_symbols = amount.n_symbols,
                                 .n_seeds = e->n_seeds,
                                 .n_bytes = amount.n_bytes };

    if (is_certain(e))
        add(least, &one);
    one.n_records = whole ? 1 : HAGG_SCHEME_PREFIXES + 1;
    add(most, &one);
}

static void add_sent(struct measure_count *to, const struct measure_sent *sent)
{
    add(to, &(struct measure_count){ .n_records = 1,
                                     .n_symbols = sent->n_symbols,
                                     .n_seeds = sent->n_seeds,
                                     .n_bytes = sent->n_bytes });
}

static bool is_within(uint64_t least, uint64_t value, uint64_t most)
{
    return least <= value && value <= most;
}

/* The prediction for a flow: everything that is certain, and of the rest as much as was sent. Then
 * the records that were sent have n_bytes bytes. */
static struct measure_count predict(const struct measure_count *sent, uint64_t n_bytes,
                                    const struct measure_count *least,
                                    const struct measure_count *most)
{
    if (is_within(least->n_records, sent->n_records, most->n_records) &&
        is_within(least->n_symbols, sent->n_symbols, most->n_symbols) &&
        is_within(least->n_seeds, sent->n_seeds, most->n_seeds))
        return (struct measure_count){ .n_records = sent->n_records,
                                       .n_symbols = sent->n_symbols,
                                       .n_seeds = sent->n_seeds,
                                       .n_bytes = n_bytes };
    return sent->n_symbols < least->n_symbols || sent->n_seeds < least->n_seeds ||
                   sent->n_records < least->n_records
               ? *least
               : *most;
}

static struct measure_row *row_of(const struct measure *m, struct measure_result *result,
                                  const struct flow *flow, const struct flow *before,
                                  struct hagg_err *err)
{
    struct measure_row *rows;

    if (before && flow_is_alike(before, flow))
        return &result->rows[result->n_rows - 1];
    rows = reallocarray(result->rows, result->n_rows + 1, sizeof *rows);
    if (!rows) {
        err_errno(err, "no memory for a report");
        return NULL;
    }
    result->rows = rows;
    rows[result->n_rows] = (struct measure_row){
        .from = m->tiers.names[flow->from_tier],
        .to = m->tiers.names[flow->to_tier],
        .what = flow->what,
    };
    return &rows[result->n_rows++];
}

static struct header_node node(const struct measure *m, uint8_t tier, uint32_t number)
{
    struct header_node node = { .number = number };

    snprintf(node.tier, sizeof node.tier, "%s", m->tiers.names[tier]);
    return node;
}

static int add_difference(const struct measure *m, struct measure_result *result, size_t *max,
                          const struct flow *flow, const struct measure_count *sent,
                          const struct measure_count *predicted, struct hagg_err *err)
{
    if (ARRAY_RESERVE(result->differences, result->n_differences + 1, *max))
        return err_errno(err, "no memory for a report");
    result->differences[result->n_differences++] = (struct measure_difference){
        .from = node(m, flow->from_tier, flow->from),
        .to = node(m, flow->to_tier, flow->to),
        .what = flow->what,
        .sent = *sent,
        .predicted = *predicted,
    };
    return 0;
}

static struct node node_of(const struct measure *m, uint8_t tier, uint32_t number)
{
    struct node node = { NODE_CLIENT, number };

    while (node.tier < NODE_FEDERATOR &&
           strcmp(node_tier_name(node.tier), m->tiers.names[tier]) != 0)
        node.tier++;
    return node;
}

/* The price of the symbols and seeds of a flow, whose records all have the same price, times that
 * of the bytes of a symbol. */
static unsigned __int128 price_of(const struct plan *p, const struct measure_count *c,
                                  uint64_t price)
{
    return ((unsigned __int128)c->n_symbols * field_elem_size(p->field) +
            (unsigned __int128)c->n_seeds * SHEET_SEED_BYTES) *
           price;
}

/* The price of what was sent, and of what was predicted. */
static void set_prices(const struct measure *m, const struct flow *flow, struct measure_count *sent,
                       struct measure_count *predicted)
{
    const struct plan *p = m->options->plan;
    uint64_t price;

    if (!p || p->topology.prices.unit == 0)
        return;
    price = prices_hop(&p->topology.prices, node_of(m, flow->from_tier, flow->from),
                       node_of(m, flow->to_tier, flow->to));
    sent->price = price_of(p, sent, price);
    predicted->price = price_of(p, predicted, price);
}

/* True if in some flow more was sent than all nodes together require. Both are sorted. */
static bool is_more(const struct measure *m, const struct prediction *p)
{
    for (size_t i = 0, j = 0; i < m->n_sent;) {
        const struct flow *flow = &m->sent[i].flow;
        uint64_t sent = 0, required = 0;

        for (; i < m->n_sent && flow_compare(&m->sent[i].flow, flow) == 0; i++)
            sent += m->sent[i].n_symbols;
        for (; j < p->n && flow_compare(&p->messages[j].flow, flow) <= 0; j++)
            if (flow_compare(&p->messages[j].flow, flow) == 0)
                required += p->messages[j].all.n_symbols;
        if (required > 0 && sent > required)
            return true;
    }
    return false;
}

/* Merges the sorted predictions and records, flow by flow. */
static int merge(const struct measure *m, const struct prediction *p, struct measure_result *result,
                 struct hagg_err *err)
{
    const struct flow *before = NULL;
    size_t i = 0, j = 0, max = 0;

    while (i < m->n_sent || j < p->n) {
        const struct flow *flow =
            j == p->n || (i < m->n_sent && flow_compare(&m->sent[i].flow, &p->messages[j].flow) < 0)
                ? &m->sent[i].flow
                : &p->messages[j].flow;
        struct measure_count sent = { 0 }, least = { 0 }, most = { 0 }, predicted;
        struct measure_row *row = row_of(m, result, flow, before, err);
        uint64_t n_bytes = 0;

        if (!row)
            return -1;
        for (; i < m->n_sent && flow_compare(&m->sent[i].flow, flow) == 0; i++) {
            add_sent(&sent, &m->sent[i]);
            n_bytes += m->sent[i].n_predicted_bytes;
        }
        for (; j < p->n && flow_compare(&p->messages[j].flow, flow) == 0; j++)
            count(p, &p->messages[j], &least, &most);
        predicted = predict(&sent, n_bytes, &least, &most);
        set_prices(m, flow, &sent, &predicted);
        add(&row->sent, &sent);
        add(&row->predicted, &predicted);
        if (m->options->plan &&
            (sent.n_records != predicted.n_records || sent.n_symbols != predicted.n_symbols ||
             sent.n_seeds != predicted.n_seeds || sent.n_bytes != predicted.n_bytes) &&
            add_difference(m, result, &max, flow, &sent, &predicted, err))
            return -1;
        before = flow;
    }
    for (size_t r = 0; r < result->n_rows; r++) {
        add(&result->sent, &result->rows[r].sent);
        add(&result->predicted, &result->rows[r].predicted);
    }
    return 0;
}

/* Removes the records of clients that do not take part before the comparison, and counts them. */
static void remove_left_out(struct measure *m, struct measure_result *result)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n_sent; i++)
        if (m->sent[i].left_out)
            add_sent(&result->left_out, &m->sent[i]);
        else
            m->sent[n++] = m->sent[i];
    m->n_sent = n;
}

int measure_compare(struct measure *m, struct measure_result *result, struct hagg_err *err)
{
    const struct measure_options *o = m->options;
    const struct header *vectors = &m->anchors[0].header; /* empty without such records */
    struct prediction p = {
        .tiers = &m->tiers,
        .length = result->length,
        .in_part = m->in_part,
        .records = { .round = m->anchors[m->anchors[0].file == NULL].header.round,
                     .shape = vectors->has_shape ? vectors->shape : NULL,
                     .n_shape = vectors->n_shape,
                     .type = vectors->type[0] ? vectors->type : NULL },
    };
    int status = 0;

    remove_left_out(m, result);
    if (o->plan && o->plan->topology.prices.unit > 0)
        result->price_unit =
            (uint64_t)o->plan->topology.prices.unit * field_elem_size(o->plan->field);
    if (o->plan) {
        p.records.length = p.length - o->plan->topology.samples;
        status = predict_all(&p, o, err);
    }
    if (status == 0) {
        qsort(m->sent, m->n_sent, sizeof *m->sent, by_flow_sent);
        p.more = p.in_part && (o->presence.missing[0] || o->presence.missing[1]) && is_more(m, &p);
        status = merge(m, &p, result, err);
    }
    free(p.messages);
    return status;
}
