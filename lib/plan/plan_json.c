#include "plan/plan_json.h"

#include <string.h>

#include "base/json.h"
#include "records/describe.h"

static void add_counts(struct json *j, const char *name, uint32_t clients, uint32_t stations,
                       uint32_t relays)
{
    json_open(j, name, '{');
    json_uint(j, "clients", clients);
    json_uint(j, "stations", stations);
    json_uint(j, "relays", relays);
    json_close(j, '}');
}

static void add_list(struct json *j, const char *name, const struct topology_list *list)
{
    json_open(j, name, '[');
    for (size_t i = 0; i < list->n; i++)
        json_uint(j, NULL, list->numbers[i]);
    json_close(j, ']');
}

static void add_quantize(struct json *j, const struct header_quant *quant)
{
    if (header_has_quant(quant))
        describe_quant_json(j, "quantize", quant);
    else
        json_null(j, "quantize");
}

static void add_ratio(struct json *j, const char *name, size_t name_len, uint32_t num, uint32_t den)
{
    struct text key = { 0 }, value = { 0 };

    text_printf(&key, "%.*s", (int)name_len, name);
    ratio_print(num, den, &value);
    if (text_ok(&key) && text_ok(&value))
        json_string(j, key.bytes, value.bytes);
    else
        j->text->failed = true;
    text_free(&key);
    text_free(&value);
}

/* What nodes pay that pay anything. */
static void add_node_prices(struct json *j, const char *name, const struct topology_prices *p,
                            int kind)
{
    json_open(j, name, '[');
    for (uint32_t i = 0; p->nodes[kind] && i < p->n_nodes[kind]; i++) {
        const struct topology_node_price *node = &p->nodes[kind][i];

        if (node->send == 0 && node->receive == 0)
            continue;
        json_open(j, NULL, '{');
        json_uint(j, "number", i + 1);
        add_ratio(j, "send", 4, node->send, p->unit);
        add_ratio(j, "receive", 7, node->receive, p->unit);
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* The words of the price lines, without their equals signs. */
static void add_prices(struct json *j, const struct topology *t)
{
    const struct topology_prices *p = &t->prices;

    if (p->unit == 0) {
        json_null(j, "price");
        return;
    }
    json_open(j, "price", '{');
    for (enum topology_link link = 0; link < N_LINKS; link++)
        if (topology_prices_has_link(link, t->n_relays > 0))
            add_ratio(j, topology_price_words[link], strlen(topology_price_words[link]) - 1,
                      p->links[link], p->unit);
    add_node_prices(j, "station_prices", p, TOPOLOGY_PRICED_STATIONS);
    add_node_prices(j, "relay_prices", p, TOPOLOGY_PRICED_RELAYS);
    json_close(j, '}');
}

static void add_integers(struct json *j, const struct topology_integers *bounds)
{
    if (!topology_integers_given(bounds)) {
        json_null(j, "integers");
        return;
    }
    json_open(j, "integers", '[');
    json_int(j, NULL, bounds->lo);
    json_int(j, NULL, bounds->hi);
    json_close(j, ']');
}

static void add_settings(struct json *j, const struct topology *t)
{
    json_string(j, "protocol", t->aligned ? "aligned" : "keys");
    json_string(j, "field", t->field);
    json_string(j, "scheme", t->scheme);
    json_string(j, "collusion", t->full ? "full" : "partial");
    add_counts(j, "collude", t->collude_clients, t->collude_stations, t->collude_relays);
    add_counts(j, "drop", t->drop_clients, t->drop_stations, t->drop_relays);
    json_uint(j, "minimum", t->minimum);
    add_quantize(j, &t->quant);
    add_integers(j, &t->integers);
    json_bool(j, "samples", t->samples);
    if (t->most_samples > 0)
        json_uint(j, "most_samples", t->most_samples);
    else
        json_null(j, "most_samples");
    if (t->length > 0)
        json_uint(j, "length", t->length);
    else
        json_null(j, "length");
    json_bool(j, "transform", t->transform);
    json_string(j, "privacy", t->computational ? "computational" : "information-theoretic");
    json_bool(j, "fallback", t->fallback);
    if (t->identities[0])
        json_string(j, "identities", t->identities);
    else
        json_null(j, "identities");
    add_list(j, "dealers", &t->dealers);
    json_uint(j, "stations", t->n_stations);
    json_uint(j, "relays", t->n_relays);
    add_prices(j, t);
}

/* One entry for consecutive clients of a group: first, last, group. */
static void add_clients(struct json *j, const struct topology *t)
{
    size_t i = 0;

    json_open(j, "clients", '[');
    while (i < t->n_clients) {
        const struct topology_client *first = &t->clients[i];
        size_t end = i + 1;

        while (end < t->n_clients && t->clients[end].group == first->group &&
               t->clients[end].number == first->number + (end - i))
            end++;
        json_open(j, NULL, '[');
        json_uint(j, NULL, first->number);
        json_uint(j, NULL, t->clients[end - 1].number);
        json_uint(j, NULL, first->group);
        json_close(j, ']');
        i = end;
    }
    json_close(j, ']');
}

void plan_json(const struct plan *p, struct text *text)
{
    const struct topology *t = &p->topology;
    struct json j = { .text = text };

    json_open(&j, NULL, '{');
    json_hex(&j, "digest", p->digest, sizeof p->digest);
    add_settings(&j, t);
    add_clients(&j, t);
    json_open(&j, "groups", '[');
    for (size_t i = 0; i < t->n_groups; i++) {
        const struct topology_group *g = &t->groups[i];

        json_open(&j, NULL, '{');
        add_list(&j, "via", &g->via);
        add_list(&j, "shares", topology_shares(g));
        json_bool(&j, "computational", g->computational);
        if (g->reach.n > 0)
            json_uint(&j, "courier", g->via.numbers[0]);
        else
            json_null(&j, "courier");
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_open(&j, "station_via", '[');
    for (uint32_t u = 0; t->station_via && u < t->n_stations; u++)
        add_list(&j, NULL, &t->station_via[u]);
    json_close(&j, ']');
    json_close(&j, '}');
}
