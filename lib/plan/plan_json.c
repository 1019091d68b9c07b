#include "plan/plan_json.h"

#include "base/json.h"

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
    if (quant->bits == 0) {
        json_null(j, "quantize");
        return;
    }
    json_open(j, "quantize", '{');
    json_uint(j, "bits", quant->bits);
    json_double(j, "clip", quant->clip);
    json_string(j, "rounding", header_rounding_name(quant->rounding));
    json_close(j, '}');
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
    json_bool(j, "samples", t->samples);
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
