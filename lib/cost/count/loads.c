#include "cost/count/loads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Messages are stored to find those that use the same link. */
struct sent_message {
    struct node from, to;
    uint64_t n;
    struct sheet_size size;
};

struct sent_messages {
    struct sent_message *list;
    size_t n, capacity;
};

/* Sent and received by a node so far. */
struct traffic {
    struct sheet_line sent, received;
};

struct counter {
    struct loads *l;
    uint64_t length;
    struct record_sizes *sizes; /* NULL: bytes are not counted */
    uint32_t client; /* the client whose messages are being counted; 0 after the last client */
    struct traffic of_client, of_federator;
    struct traffic *of_nodes[PLAN_TIERS]; /* by number - 1 */
    uint32_t n_nodes[PLAN_TIERS];
    struct sent_messages messages;  /* of the client, or of all other nodes */
    struct sent_messages passed_on; /* by couriers */
};

const char *loads_name(enum loads_what what)
{
    static const char *const names[N_LOADS] = {
        [LOAD_CLIENT] = "busiest client", [LOAD_STATION] = "busiest station",
        [LOAD_RELAY] = "busiest relay",   [LOAD_FEDERATOR] = "federator",
        [LOAD_LINK] = "busiest link",
    };

    return names[what];
}

static void traffic_init(struct traffic *t)
{
    sheet_line_init(&t->sent);
    sheet_line_init(&t->received);
}

static void traffic_clear(struct traffic *t)
{
    sheet_line_clear(&t->sent);
    sheet_line_clear(&t->received);
}

static void copy_line(struct sheet_line *to, const struct sheet_line *from)
{
    mpq_set(to->times, from->times);
    mpz_set(to->n_messages, from->n_messages);
    mpz_set(to->n_symbols, from->n_symbols);
    mpz_set(to->n_seeds, from->n_seeds);
    mpz_set(to->n_bytes, from->n_bytes);
}

/* Replaces *load if this traffic is greater. */
static void keep_busier(struct load *load, struct traffic *t, struct node node, struct node to)
{
    mpq_t ours, best;

    sheet_line_close(&t->sent);
    sheet_line_close(&t->received);
    mpq_inits(ours, best, NULL);
    mpq_add(ours, t->sent.times, t->received.times);
    mpq_add(best, load->sent.times, load->received.times);
    if (!load->exists || mpq_cmp(ours, best) > 0) {
        load->exists = true;
        load->node = node;
        load->to = to;
        copy_line(&load->sent, &t->sent);
        copy_line(&load->received, &t->received);
    }
    mpq_clears(ours, best, NULL);
}

static int compare_nodes(const struct node *a, const struct node *b)
{
    return a->tier != b->tier ? (a->tier > b->tier) - (a->tier < b->tier)
                              : (a->number > b->number) - (a->number < b->number);
}

static int compare_links(const void *a, const void *b)
{
    const struct sent_message *x = a, *y = b;
    int order = compare_nodes(&x->from, &y->from);

    return order ? order : compare_nodes(&x->to, &y->to);
}

static int store(struct sent_messages *m, const struct sent_message *s, struct hagg_err *err)
{
    if (ARRAY_RESERVE(m->list, m->n + 1, m->capacity))
        return err_errno(err, "loads");
    m->list[m->n++] = *s;
    return 0;
}

/* Adds up the stored messages by link and discards them. */
static void close_links(struct counter *c, struct sent_messages *m)
{
    const struct sent_message *list = m->list;

    if (m->n > 0)
        qsort(m->list, m->n, sizeof *m->list, compare_links);
    for (size_t i = 0, end; i < m->n; i = end) {
        struct traffic link;

        traffic_init(&link);
        for (end = i; end < m->n && compare_links(&list[i], &list[end]) == 0; end++)
            sheet_line_add_size(&link.sent, list[end].n, list[end].size);
        keep_busier(&c->l->loads[LOAD_LINK], &link, list[i].from, list[i].to);
        traffic_clear(&link);
    }
    m->n = 0;
}

/* Couriers use links between stations, which the messages of other nodes use too. */
static int close_all_links(struct counter *c, struct hagg_err *err)
{
    for (size_t i = 0; i < c->passed_on.n; i++)
        if (store(&c->messages, &c->passed_on.list[i], err))
            return -1;
    close_links(c, &c->messages);
    return 0;
}

/* Messages arrive client by client, so only one client's traffic is stored at a time. One client of
 * each group is enough, because the others send as much. */
static void end_client(struct counter *c)
{
    if (c->client == 0)
        return;
    keep_busier(&c->l->loads[LOAD_CLIENT], &c->of_client, (struct node){ NODE_CLIENT, c->client },
                (struct node){ 0 });
    traffic_clear(&c->of_client);
    traffic_init(&c->of_client);
    close_links(c, &c->messages);
    c->client = 0;
}

static struct traffic *traffic_of(struct counter *c, struct node node)
{
    return node.tier == NODE_CLIENT      ? &c->of_client
           : node.tier == NODE_FEDERATOR ? &c->of_federator
                                         : &c->of_nodes[node.tier - NODE_STATION][node.number - 1];
}

/* Counts a hop of messages of n clients, or of one other node, which have this size. */
static int count_hop(struct counter *c, const struct node *hop, bool is_first, uint64_t n,
                     struct sheet_size size, struct hagg_err *err)
{
    if (store(is_first ? &c->messages : &c->passed_on,
              &(struct sent_message){ hop[0], hop[1], n, size }, err))
        return -1;
    sheet_line_add_size(&traffic_of(c, hop[0])->sent, n, size);
    return 0;
}

static int count_message(void *counter, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct counter *c = counter;
    struct node way[SHEET_MOST_HOPS + 1];
    size_t n_hops = sheet_hops(s, way);
    struct sheet_size size = sheet_size_of(s, c->length);
    struct record_sizes_group group = { .n = { n }, .n_sizes = 1 };
    uint64_t own_bytes;

    if (s->from.tier != NODE_CLIENT || s->from.number != c->client)
        end_client(c);
    if (s->from.tier == NODE_CLIENT)
        c->client = s->from.number;
    if (n_hops > 0 && c->sizes && record_sizes_of_group(c->sizes, s, n, &group, err))
        return -1;
    own_bytes = group.size[0];
    if (group.n_sizes > 1 && record_sizes_of(c->sizes, s, &own_bytes, err))
        return -1;
    for (size_t i = 0; i < n_hops; i++) {
        /* one client is enough, but a courier passes on the records of all of them */
        bool is_one = way[i].tier == NODE_CLIENT;

        size.n_bytes = own_bytes;
        if (is_one && count_hop(c, way + i, true, 1, size, err))
            return -1;
        for (size_t j = 0; j < group.n_sizes; j++) {
            size.n_bytes = group.size[j];
            if (!is_one && count_hop(c, way + i, i == 0, group.n[j], size, err))
                return -1;
            sheet_line_add_size(&traffic_of(c, way[i + 1])->received, group.n[j], size);
        }
    }
    return 0;
}

static void close_nodes(struct counter *c)
{
    static const struct node none;

    for (size_t tier = 0; tier < PLAN_TIERS; tier++)
        for (uint32_t i = 0; i < c->n_nodes[tier]; i++) {
            enum node_tier at = tier == 0 ? NODE_STATION : NODE_RELAY;

            keep_busier(&c->l->loads[tier == 0 ? LOAD_STATION : LOAD_RELAY], &c->of_nodes[tier][i],
                        (struct node){ at, i + 1 }, none);
        }
    keep_busier(&c->l->loads[LOAD_FEDERATOR], &c->of_federator, NODE_THE_FEDERATOR, none);
}

static int start(struct counter *c, const struct plan *p, struct hagg_err *err)
{
    c->n_nodes[0] = p->topology.n_stations;
    c->n_nodes[1] = p->topology.n_relays;
    traffic_init(&c->of_client);
    traffic_init(&c->of_federator);
    for (size_t tier = 0; tier < PLAN_TIERS; tier++) {
        c->of_nodes[tier] = calloc((size_t)c->n_nodes[tier] + 1, sizeof *c->of_nodes[tier]);
        for (uint32_t i = 0; i < c->n_nodes[tier] && c->of_nodes[tier]; i++)
            traffic_init(&c->of_nodes[tier][i]);
    }
    return c->of_nodes[0] && c->of_nodes[1] ? 0 : err_errno(err, "%s", p->name);
}

static void stop(struct counter *c)
{
    for (size_t tier = 0; tier < PLAN_TIERS; tier++) {
        for (uint32_t i = 0; i < c->n_nodes[tier] && c->of_nodes[tier]; i++)
            traffic_clear(&c->of_nodes[tier][i]);
        free(c->of_nodes[tier]);
    }
    traffic_clear(&c->of_client);
    traffic_clear(&c->of_federator);
    free(c->messages.list);
    free(c->passed_on.list);
}

int loads_of_plan(struct loads *l, const struct plan *p, uint64_t length,
                  const struct bytes_options *records, struct hagg_err *err)
{
    const struct protocol_presence all = { .prefixes = true };
    struct counter c = { .l = l, .length = length };
    struct protocol *round = NULL;
    int status;

    *l = (struct loads){ .known = true };
    for (size_t i = 0; i < N_LOADS; i++) {
        sheet_line_init(&l->loads[i].sent);
        sheet_line_init(&l->loads[i].received);
    }
    status = start(&c, p, err);
    if (status == 0 && !(round = protocol_open(p, &all, err)))
        status = -1;
    if (status == 0 && records && length > 0 && !(c.sizes = record_sizes_new(round, records, err)))
        status = -1;
    if (status == 0)
        status = protocol_each_group(round, count_message, &c, err);
    if (status == 0) {
        end_client(&c);
        status = close_all_links(&c, err);
        close_nodes(&c);
    }
    stop(&c);
    record_sizes_free(c.sizes);
    protocol_free(round);
    if (status)
        loads_free(l);
    return status;
}

void loads_free(struct loads *l)
{
    for (size_t i = 0; l->known && i < N_LOADS; i++) {
        sheet_line_clear(&l->loads[i].sent);
        sheet_line_clear(&l->loads[i].received);
    }
    *l = (struct loads){ 0 };
}
