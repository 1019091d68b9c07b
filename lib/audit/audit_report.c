#include "audit/audit_report.h"

#include <stdlib.h>

#include "base/json.h"

/* Terms of a combination, and colluding clients, that are listed; beyond this only their number. */
#define TERMS_NAMED 12

/* The members of a set in one tier, with the singular and plural of the tier. */
struct party {
    const char *one, *many;
    uint32_t *numbers;
    size_t n;
};

enum { CLIENTS, STATIONS, RELAYS, MISSING, N_PARTIES };

static void list_nodes(const struct coalition *c, uint32_t first, uint32_t n, struct party *p)
{
    p->numbers = calloc((size_t)n + 1, sizeof *p->numbers);
    for (uint32_t i = 0; p->numbers && i < n; i++)
        if (c->nodes[first + i])
            p->numbers[p->n++] = i + 1;
}

static void parties_free(struct party parties[N_PARTIES])
{
    for (size_t i = 0; i < N_PARTIES; i++)
        free(parties[i].numbers);
}

static bool parties_new(struct party parties[N_PARTIES], const struct coalition *c,
                        const struct model *m)
{
    bool ok = true;

    parties[CLIENTS] = (struct party){ "client", "clients", NULL, 0 };
    parties[STATIONS] = (struct party){ "station", "stations", NULL, 0 };
    parties[RELAYS] = (struct party){ "relay", "relays", NULL, 0 };
    parties[MISSING] = (struct party){ "client", "clients", NULL, 0 };
    parties[CLIENTS].numbers = coalition_list(c, m, COALITION_MEMBER, &parties[CLIENTS].n);
    parties[MISSING].numbers = coalition_list(c, m, COALITION_MISSING, &parties[MISSING].n);
    list_nodes(c, model_station(1), m->n_stations, &parties[STATIONS]);
    list_nodes(c, model_relay(m, 1), m->n_relays, &parties[RELAYS]);
    for (size_t i = 0; i < N_PARTIES; i++)
        ok = ok && parties[i].numbers;
    if (!ok)
        parties_free(parties);
    return ok;
}

static void put_party(const struct party *p, struct text *text)
{
    text_printf(text, "%s", p->n == 1 ? p->one : p->many);
    for (size_t i = 0; i < p->n && i < TERMS_NAMED; i++)
        text_printf(text, " %u", p->numbers[i]);
    if (p->n > TERMS_NAMED)
        text_printf(text, " and %zu more", p->n - TERMS_NAMED);
}

static void put_coalition(const struct party parties[N_PARTIES], bool federator, struct text *text)
{
    size_t n = federator;
    const char *plus = "";

    for (size_t i = 0; i < MISSING; i++) {
        if (parties[i].n == 0)
            continue;
        text_printf(text, "%s", plus);
        put_party(&parties[i], text);
        plus = " + ";
        n += parties[i].n;
    }
    if (federator)
        text_printf(text, "%sfederator", plus);
    if (n == 0)
        text_printf(text, "an observer");
    if (parties[MISSING].n > 0) {
        text_printf(text, ", with ");
        put_party(&parties[MISSING], text);
        text_printf(text, " missing,");
    }
    text_printf(text, n == 1 || n == 0 ? " learns " : " learn ");
}

/* Prints a factor as the representative nearest to zero if that is small, otherwise as it is. */
static void put_factor(const struct model *m, const struct learnt_term *term, bool first,
                       struct text *text)
{
    int64_t factor;

    field_to_int(m->field, &factor, term->factor, 1);
    if (!first)
        text_printf(text, factor < 0 ? " - " : " + ");
    else if (factor < 0)
        text_printf(text, "-");
    if (factor != 1 && factor != -1)
        text_printf(text, "%llu ", (unsigned long long)(factor < 0 ? -factor : factor));
}

static void put_combination(const struct model *m, const struct learnt *l, struct text *text)
{
    for (size_t i = 0; i < l->n_terms && i < TERMS_NAMED; i++) {
        put_factor(m, &l->terms[i], i == 0, text);
        text_printf(text, "g%u", l->terms[i].client);
        if (l->term_cut > 1)
            text_printf(text, "[%u/%u]", l->terms[i].segment + 1, l->term_cut);
    }
    if (l->n_terms > TERMS_NAMED)
        text_printf(text, " + .. (%zu more terms)", l->n_terms - TERMS_NAMED);
}

/* In lowest terms: "d", "2 d", "3/2 d". */
static void put_leakage(const struct learnt *l, struct text *text)
{
    size_t a = l->rank, b = l->cut;

    while (b > 0) {
        size_t rest = a % b;

        a = b;
        b = rest;
    }
    if (l->rank / a != 1 || l->cut / a != 1)
        text_printf(text, "%zu", l->rank / a);
    if (l->cut / a != 1)
        text_printf(text, "/%zu", l->cut / a);
    text_printf(text, "%sd", l->rank / a != 1 || l->cut / a != 1 ? " " : "");
}

static void put_leak(const struct audit_leak *leak, const struct model *m, struct text *text)
{
    struct party parties[N_PARTIES];

    if (!parties_new(parties, &leak->who, m)) {
        text->failed = true;
        return;
    }
    put_coalition(parties, leak->who.nodes[MODEL_FEDERATOR], text);
    put_combination(m, &leak->learnt, text);
    text_printf(text, " (leakage ");
    put_leakage(&leak->learnt, text);
    text_printf(text, " symbols%s)\n", leak->learnt.only_one ? "; the sum is of one client" : "");
    parties_free(parties);
}

static void put_count(uint64_t n, struct text *text)
{
    if (n == UINT64_MAX)
        text_printf(text, "more than 10^19");
    else
        text_printf(text, "%llu", (unsigned long long)n);
}

/* Returns the node if the leak needs only that one and no client; MODEL_CLIENT otherwise. */
static uint32_t single_node(const struct audit_leak *leak, const struct model *m)
{
    uint32_t found = MODEL_CLIENT;

    for (size_t i = 0; i < m->n_clients; i++)
        if (leak->who.clients[i] == COALITION_MEMBER)
            return MODEL_CLIENT;
    for (uint32_t i = 0; i < model_n_nodes(m); i++) {
        if (!leak->who.nodes[i])
            continue;
        if (found != MODEL_CLIENT)
            return MODEL_CLIENT;
        found = i;
    }
    return found;
}

/* Marks the nodes that learn too much alone. The caller frees the marks; NULL: no memory. */
static bool *single_nodes(const struct audit_result *r, const struct model *m)
{
    bool *marks = calloc(model_n_nodes(m), sizeof *marks);

    for (size_t i = 0; marks && i < r->n_leaks; i++) {
        uint32_t node = single_node(&r->leaks[i], m);

        if (node != MODEL_CLIENT)
            marks[node] = true;
    }
    return marks;
}

static void put_tier_alone(const struct audit_result *r, const char *tier, const bool *marks,
                           uint32_t n, struct text *text)
{
    uint32_t n_marks = 0;

    for (uint32_t i = 0; i < n; i++)
        n_marks += marks[i];
    if (n > 0 && n_marks == 0)
        text_printf(text, "each %s alone learns nothing%s\n", tier,
                    r->stopped ? ", as far as was checked" : "");
    else if (n > 0)
        text_printf(text, "%s%u of %u %ss learn vectors, sums or parts of them alone\n",
                    r->stopped && n_marks < n ? "at least " : "", n_marks, n, tier);
}

static void put_alone(const struct audit_result *r, const struct model *m, struct text *text)
{
    bool *marks = single_nodes(r, m);

    if (!marks) {
        text->failed = true;
        return;
    }
    put_tier_alone(r, "station", marks + model_station(1), m->n_stations, text);
    if (r->relays_see_total && m->n_relays > 0)
        text_printf(text, "each relay learns nothing that the federator does not learn\n");
    else
        put_tier_alone(r, "relay", marks + model_relay(m, 1), m->n_relays, text);
    text_printf(text, "the federator alone learns %s the total%s\n",
                marks[MODEL_FEDERATOR] ? "more than" : "only",
                r->stopped && !marks[MODEL_FEDERATOR] ? ", as far as was checked" : "");
    free(marks);
}

static void put_verdict(const struct audit_result *r, struct text *text)
{
    if (!r->sampled)
        text_printf(text, "private: ");
    else
        text_printf(text, "no leak found: ");
    put_count(r->n_checked, text);
    if (r->sampled) {
        text_printf(text, " of ");
        put_count(r->n_sets, text);
    }
    text_printf(text, " coalition%s checked%s\n", r->n_checked == 1 ? "" : "s",
                r->sampled ? ", chosen at random" : "");
}

void audit_report_text(const struct audit_result *r, const struct model *m, struct text *text)
{
    for (size_t i = 0; i < r->n_leaks; i++)
        put_leak(&r->leaks[i], m, text);
    if (r->n_leaks == 0)
        put_verdict(r, text);
    if (r->alone)
        put_alone(r, m, text);
}

void audit_report_verdict(const struct audit_result *r, struct text *text)
{
    text_printf(text, "is not private: %s%zu coalition%s learn%s more than allowed",
                r->stopped ? "at least " : "", r->n_leaks, r->n_leaks == 1 ? "" : "s",
                r->n_leaks == 1 ? "s" : "");
}

static void json_leak(struct json *j, const struct audit_leak *leak, const struct model *m)
{
    static const char *const names[] = { "clients", "stations", "relays", "missing" };
    struct party parties[N_PARTIES];
    struct text text = { 0 };

    if (!parties_new(parties, &leak->who, m)) {
        j->text->failed = true;
        return;
    }
    json_open(j, NULL, '{');
    for (size_t i = 0; i < N_PARTIES; i++) {
        json_open(j, names[i], '[');
        for (size_t k = 0; k < parties[i].n; k++)
            json_uint(j, NULL, parties[i].numbers[k]);
        json_close(j, ']');
    }
    json_bool(j, "federator", leak->who.nodes[MODEL_FEDERATOR]);
    put_combination(m, &leak->learnt, &text);
    json_string(j, "learn", text_ok(&text) && text.bytes ? text.bytes : "");
    j->text->failed = j->text->failed || text.failed;
    json_uint(j, "cut", leak->learnt.term_cut);
    json_open(j, "terms", '[');
    for (size_t i = 0; i < leak->learnt.n_terms; i++) {
        const struct learnt_term *term = &leak->learnt.terms[i];

        json_open(j, NULL, '{');
        json_uint(j, "client", term->client);
        json_uint(j, "part", term->segment + 1u);
        json_uint(j, "factor", hagg_load(term->factor, 0, field_elem_size(m->field)));
        json_close(j, '}');
    }
    json_close(j, ']');
    json_uint(j, "rank", leak->learnt.rank);
    json_uint(j, "parts", leak->learnt.cut);
    json_close(j, '}');
    text_free(&text);
    parties_free(parties);
}

static void json_nodes(struct json *j, const char *name, const bool *marks, uint32_t n)
{
    json_open(j, name, '[');
    for (uint32_t i = 0; i < n; i++)
        if (marks[i])
            json_uint(j, NULL, i + 1u);
    json_close(j, ']');
}

/* The nodes that learn more than they may alone. */
static void json_alone(struct json *j, const struct audit_result *r, const struct model *m)
{
    bool *marks = single_nodes(r, m);

    if (!marks) {
        j->text->failed = true;
        return;
    }
    json_open(j, "alone", '{');
    json_nodes(j, "stations", marks + model_station(1), m->n_stations);
    json_nodes(j, "relays", marks + model_relay(m, 1), m->n_relays);
    json_bool(j, "federator", marks[MODEL_FEDERATOR]);
    json_close(j, '}');
    free(marks);
}

void audit_report_json(const struct audit_result *r, const struct model *m, struct text *text)
{
    struct json j = { .text = text };

    json_open(&j, NULL, '{');
    json_bool(&j, "private", r->n_leaks == 0 && !r->sampled);
    json_bool(&j, "sampled", r->sampled);
    json_uint(&j, "sets", r->n_sets);
    json_uint(&j, "checked", r->n_checked);
    json_bool(&j, "stopped", r->stopped);
    if (r->alone)
        json_alone(&j, r, m);
    json_open(&j, "leaks", '[');
    for (size_t i = 0; i < r->n_leaks; i++)
        json_leak(&j, &r->leaks[i], m);
    json_close(&j, ']');
    json_close(&j, '}');
    text_printf(text, "\n");
}

static void put_most(const struct audit_most *most, const char *name, uint32_t n_all,
                     uint32_t asked, struct text *text)
{
    text_printf(text, "%s: ", name);
    if (most->none)
        text_printf(text, "not private, even without collusion");
    else
        text_printf(text, "%s%u of %u", most->at_least ? "at least " : "", most->n, n_all);
    text_printf(text, ", the plan requires %u\n", asked);
}

static void json_most(struct json *j, const struct audit_most *most, const char *name,
                      uint32_t asked)
{
    json_open(j, name, '{');
    json_bool(j, "private", !most->none);
    json_uint(j, "most", most->n);
    json_bool(j, "at_least", most->at_least);
    json_uint(j, "asked", asked);
    json_close(j, '}');
}

int audit_report_max(const struct model *m, const struct audit_bounds *bounds,
                     const struct audit_options *options, bool as_json, struct text *text,
                     struct hagg_err *err)
{
    const struct {
        enum audit_party party;
        const char *name;
        uint32_t n, asked;
    } parties[] = {
        { AUDIT_CLIENTS, "clients", (uint32_t)m->n_clients, bounds->clients },
        { AUDIT_STATIONS, "stations", m->n_stations, bounds->stations },
        { AUDIT_RELAYS, "relays", m->n_relays, bounds->relays },
    };
    struct json j = { .text = text };

    if (as_json)
        json_open(&j, NULL, '{');
    for (size_t i = 0; i < sizeof parties / sizeof *parties; i++) {
        struct audit_most most;

        if (parties[i].n == 0)
            continue;
        if (audit_max(&most, m, bounds, parties[i].party, options, err))
            return -1;
        if (as_json)
            json_most(&j, &most, parties[i].name, parties[i].asked);
        else
            put_most(&most, parties[i].name, parties[i].n, parties[i].asked, text);
    }
    if (as_json) {
        json_close(&j, '}');
        text_printf(text, "\n");
    }
    return 0;
}
