/*
 * statement.c - prints the statement of a round by lib/protocol in JSON.
 *
 * Usage: protocol-statement PLAN [clients=N,...] [stations=N,...] [relays=N,...] [prefixes]
 *
 * clients lists the clients that take part, by default all; stations and relays list the missing
 * ones. With prefixes, nodes send as much of their shares as those present require. Prints what the
 * clients of each class contribute to its secret, and all messages in order. A term is [of, id,
 * row, segment, number of segments, factor]. A courier of 0 is none, and symbols up to 0 are all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hagg/plugin.h"
#include "base/json.h"
#include "protocol/protocol.h"

struct printer {
    struct protocol *p;
    struct json json;
};

static void print_node(struct json *j, const char *name, struct node node)
{
    json_open(j, name, '[');
    json_string(j, NULL, node_tier_name(node.tier));
    json_uint(j, NULL, node.number);
    json_close(j, ']');
}

static int print_term(void *printer, const struct term *t, struct hagg_err *err)
{
    static const char *const names[] = {
        [TERM_SECRET] = "secret", [TERM_DRAW] = "draw", [TERM_MESSAGE] = "sending"
    };
    struct printer *p = printer;
    struct json *j = &p->json;

    (void)err;
    json_open(j, NULL, '[');
    json_string(j, NULL, names[t->of]);
    json_uint(j, NULL, t->id);
    json_uint(j, NULL, t->row);
    json_uint(j, NULL, t->segment);
    json_uint(j, NULL, t->n_segments);
    json_uint(j, NULL, hagg_load(t->factor, 0, field_elem_size(protocol_plan(p->p)->field)));
    json_close(j, ']');
    return 0;
}

static int print_message(void *printer, const struct message *s, struct hagg_err *err)
{
    struct printer *p = printer;
    struct json *j = &p->json;

    json_open(j, NULL, '{');
    print_node(j, "from", s->from);
    print_node(j, "to", s->to);
    json_string(j, "kind", header_kind_name(s->stage->kind));
    json_string(j, "of", header_secret_name(s->stage->secret));
    json_uint(j, "id", s->id);
    json_uint(j, "index", s->index);
    json_uint(j, "source", s->source);
    json_open(j, "cuts", '[');
    json_uint(j, NULL, s->cuts[0]);
    json_uint(j, NULL, s->cuts[1]);
    json_close(j, ']');
    json_open(j, "symbols", '[');
    json_uint(j, NULL, s->symbols.first);
    json_uint(j, NULL, s->symbols.end);
    json_close(j, ']');
    json_uint(j, "joined", s->n_joined);
    json_uint(j, "draws", s->draws);
    json_uint(j, "n_draws", s->n_draws);
    json_bool(j, "complete", s->complete);
    json_bool(j, "seed", s->seed);
    json_uint(j, "courier", s->courier);
    json_open(j, "rows", '[');
    for (uint32_t row = 0; row < s->n_rows; row++) {
        json_open(j, NULL, '[');
        if (protocol_made_of(p->p, s, row, print_term, p, err))
            return -1;
        json_close(j, ']');
    }
    json_close(j, ']');
    json_close(j, '}');
    return 0;
}

static void print_classes(struct printer *p)
{
    json_open(&p->json, "classes", '[');
    for (uint32_t class = 0; class < protocol_n_classes(p->p); class ++) {
        struct protocol_secret holds = protocol_class_holds(p->p, class);

        json_open(&p->json, NULL, '{');
        json_bool(&p->json, "vector", holds.vector);
        json_bool(&p->json, "key", holds.key);
        json_close(&p->json, '}');
    }
    json_close(&p->json, ']');
}

static int print_statement(const struct plan *plan, const struct protocol_presence *presence,
                           struct hagg_err *err)
{
    struct text text = { 0 };
    struct printer p = { .p = protocol_open(plan, presence, err), .json = { .text = &text } };
    int status = -1;

    if (!p.p)
        return -1;
    json_open(&p.json, NULL, '{');
    print_classes(&p);
    json_open(&p.json, "sendings", '[');
    if (protocol_each(p.p, print_message, &p, err) == 0) {
        json_close(&p.json, ']');
        json_close(&p.json, '}');
        status = text_ok(&text) && puts(text.bytes) >= 0 && fflush(stdout) == 0
                     ? 0
                     : err_errno(err, "standard output");
    }
    text_free(&text);
    protocol_free(p.p);
    return status;
}

/* Parses numbers separated by commas. */
static int parse_set(const char *arg, const char *name, struct rangeset *set,
                     const struct rangeset **given, struct hagg_err *err)
{
    size_t len = strlen(name);

    if (strncmp(arg, name, len) || arg[len] != '=')
        return 0;
    *given = set;
    for (const char *at = arg + len; *at;) {
        char *end;
        unsigned long number = strtoul(at + 1, &end, 10);

        if (end == at + 1 || (*end && *end != ','))
            return err_set(err, HAGG_E_USAGE, "%s: is not a list of numbers", arg);
        if (rangeset_add(set, (uint32_t)number, (uint32_t)number, err))
            return -1;
        at = end;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct rangeset clients = { 0 }, stations = { 0 }, relays = { 0 };
    struct protocol_presence presence = { 0 };
    struct hagg_err err = { 0 };
    struct plan plan;
    int status = argc < 2 ? err_set(&err, HAGG_E_USAGE, "give a plan") : 0;

    for (int i = 2; i < argc && status == 0; i++)
        if (strcmp(argv[i], "prefixes") == 0)
            presence.prefixes = true;
        else if (parse_set(argv[i], "clients", &clients, &presence.clients, &err) ||
                 parse_set(argv[i], "stations", &stations, &presence.missing[0], &err) ||
                 parse_set(argv[i], "relays", &relays, &presence.missing[1], &err))
            status = -1;
    if (status == 0 && (status = plan_load(&plan, argv[1], &err)) == 0) {
        status = print_statement(&plan, &presence, &err);
        plan_free(&plan);
    }
    rangeset_free(&clients);
    rangeset_free(&stations);
    rangeset_free(&relays);
    if (status)
        fprintf(stderr, "protocol-statement: %s\n", err.text);
    return status ? (int)err.status : 0;
}
