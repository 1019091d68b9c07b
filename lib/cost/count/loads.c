#include "cost/count/loads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Messages are stored to find those that use the same link. */
struct sent_message {
    struct node from, to;
    uint64_t num, den, n_symbols;
};

/* Sent and received by a node so far. */
struct traffic {
    struct sheet_line sent, received;
};

struct counter {
    struct loads *l;
    uint64_t length;
    uint32_t client; /* the client whose messages are being counted; 0 after the last client */
    struct traffic of_client, of_federator;
    struct traffic *of_nodes[PLAN_TIERS]; /* by number - 1 */
    uint32_t n_nodes[PLAN_TIERS];
    struct sent_message *messages;
    size_t n_messages_kept, capacity;
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

/* Adds up the stored messages by link and discards them. */
static void close_links(struct counter *c)
{
    struct sent_message *messages = c->messages;

    if (c->n_messages_kept > 0)
        qsort(messages, c->n_messages_kept, sizeof *messages, compare_links);
    for (size_t i = 0, end; i < c->n_messages_kept; i = end) {
        struct traffic link;

        traffic_init(&link);
        for (end = i; end < c->n_messages_kept && compare_links(&messages[i], &messages[end]) == 0;
             end++)
            sheet_line_add(&link.sent, 1, messages[end].num, messages[end].den,
                           messages[end].n_symbols);
        keep_busier(&c->l->loads[LOAD_LINK], &link, messages[i].from, messages[i].to);
        traffic_clear(&link);
    }
    c->n_messages_kept = 0;
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
    close_links(c);
    c->client = 0;
}

static struct traffic *traffic_of(struct counter *c, struct node node)
{
    return node.tier == NODE_CLIENT      ? &c->of_client
           : node.tier == NODE_FEDERATOR ? &c->of_federator
                                         : &c->of_nodes[node.tier - NODE_STATION][node.number - 1];
}

static int count_message(void *counter, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct counter *c = counter;
    uint64_t den = (uint64_t)s->cuts[0] * s->cuts[1], n_symbols = protocol_symbols(s, c->length);

    if (node_equal(s->from, s->to))
        return 0; /* not sent */
    if (s->from.tier != NODE_CLIENT || s->from.number != c->client)
        end_client(c);
    if (s->from.tier == NODE_CLIENT)
        c->client = s->from.number;
    if (ARRAY_RESERVE(c->messages, c->n_messages_kept + 1, c->capacity))
        return err_errno(err, "loads");
    c->messages[c->n_messages_kept++] =
        (struct sent_message){ s->from, s->to, s->n_rows, den, n_symbols };
    sheet_line_add(&traffic_of(c, s->from)->sent, 1, s->n_rows, den, n_symbols);
    sheet_line_add(&traffic_of(c, s->to)->received, n, s->n_rows, den, n_symbols);
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
    free(c->messages);
}

int loads_of_plan(struct loads *l, const struct plan *p, uint64_t length, struct hagg_err *err)
{
    struct counter c = { .l = l, .length = length };
    struct protocol *round = NULL;
    int status;

    *l = (struct loads){ .known = true };
    for (size_t i = 0; i < N_LOADS; i++) {
        sheet_line_init(&l->loads[i].sent);
        sheet_line_init(&l->loads[i].received);
    }
    status = start(&c, p, err);
    if (status == 0 && !(round = protocol_open(p, NULL, err)))
        status = -1;
    if (status == 0)
        status = protocol_each_group(round, count_message, &c, err);
    if (status == 0) {
        end_client(&c);
        close_links(&c);
        close_nodes(&c);
    }
    stop(&c);
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
