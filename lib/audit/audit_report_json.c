#include "audit/audit_report.h"

#include <stdlib.h>

#include "audit/beyond.h"
#include "audit/findings.h"
#include "audit/promise.h"
#include "base/json.h"
#include "records/describe.h"

static void json_numbers(struct json *j, const char *name, const struct rangeset *set)
{
    json_open(j, name, '[');
    for (size_t i = 0; i < set->n; i++)
        for (uint64_t number = set->ranges[i].first; number <= set->ranges[i].last; number++)
            json_uint(j, NULL, number);
    json_close(j, ']');
}

static void json_terms(struct json *j, const char *name, const struct learnt_term *terms, size_t n,
                       const struct model *m)
{
    json_open(j, name, '[');
    for (size_t i = 0; i < n; i++) {
        json_open(j, NULL, '{');
        json_uint(j, "client", terms[i].client);
        json_uint(j, "part", terms[i].segment + 1u);
        json_uint(j, "factor", hagg_load(terms[i].factor, 0, field_elem_size(m->field)));
        json_close(j, '}');
    }
    json_close(j, ']');
}

/* What is learnt, by clients: rank of as many parts as the leak has. */
static void json_parts(struct json *j, const char *name, const struct learnt *l)
{
    static const char *const names[] = {
        [LEARNT_EACH] = "each", [LEARNT_SUM] = "sum", [LEARNT_COMBINATION] = "combination"
    };

    json_open(j, name, '[');
    for (size_t i = 0; i < l->n_parts; i++) {
        struct text words = { 0 };

        json_open(j, NULL, '{');
        json_string(j, "what", names[l->parts[i].kind]);
        describe_ranges_json(j, "clients", l->parts[i].clients.ranges, l->parts[i].clients.n);
        json_uint(j, "rank", l->parts[i].rank);
        findings_put_part(l, &l->parts[i], &words);
        json_string(j, "words", text_ok(&words) && words.bytes ? words.bytes : "");
        j->text->failed = j->text->failed || words.failed;
        json_close(j, '}');
        text_free(&words);
    }
    json_close(j, ']');
}

/* Forms that span everything that is learnt, with vectors cut into as many parts as the leak has.
 */
static void json_forms(struct json *j, const struct learnt_forms *f, const struct model *m)
{
    json_open(j, "forms", '[');
    for (size_t i = 0; i < f->n; i++) {
        size_t first = i > 0 ? f->ends[i - 1] : 0;

        json_terms(j, NULL, f->terms + first, f->ends[i] - first, m);
    }
    json_close(j, ']');
    json_bool(j, "all_forms", !f->left_out);
}

/* How the sets were decided. */
static void json_how(struct json *j, const struct audit_result *r)
{
    static const char *const how[] = {
        [AUDIT_OPEN] = "open", [AUDIT_PROVED] = "proof", [AUDIT_SEARCHED] = "search"
    };

    json_bool(j, "timed_out", r->timed_out);
    json_uint(j, "verified", r->n_verified);
    json_uint(j, "verified_clients", r->n_verified_clients);
    json_open(j, "sides", '[');
    for (size_t i = 0; i < r->n_sides; i++) {
        const struct audit_side *s = &r->sides[i];

        json_open(j, NULL, '{');
        json_bool(j, "federator", s->federator);
        json_uint(j, "clients", s->clients);
        json_uint(j, "stations", s->stations);
        json_uint(j, "relays", s->relays);
        json_uint(j, "missing", s->missing);
        json_string(j, "how", how[s->how]);
        json_uint(j, "sets", s->n_sets);
        json_uint(j, "checked", s->n_checked);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void audit_report_who(struct json *j, const struct findings_who *who)
{
    static const char *const names[] = { "clients", "stations", "relays", "missing" };

    for (size_t i = 0; i < FINDINGS_TIERS; i++)
        json_numbers(j, names[i], &who->tiers[i]);
    json_bool(j, "federator", who->federator);
}

static void json_leak(struct json *j, const struct audit_leak *leak, const struct findings_who *who,
                      const struct model *m)
{
    struct text text = { 0 };

    json_open(j, NULL, '{');
    audit_report_who(j, who);
    audit_report_form(m, &leak->learnt, &text);
    json_string(j, "learn", text_ok(&text) && text.bytes ? text.bytes : "");
    j->text->failed = j->text->failed || text.failed;
    json_uint(j, "cut", leak->learnt.term_cut);
    json_terms(j, "terms", leak->learnt.terms, leak->learnt.n_terms, m);
    json_uint(j, "rank", leak->learnt.rank);
    json_uint(j, "parts", leak->learnt.cut);
    json_parts(j, "affected", &leak->learnt);
    json_forms(j, &leak->learnt.forms, m);
    json_close(j, '}');
    text_free(&text);
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
    bool *marks = audit_report_single(r, m);

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

/* "private" is true only if that is proved for the whole plan, and null if it is not decided. */
static void json_verdict(struct json *j, const struct audit_result *r)
{
    enum audit_verdict verdict = audit_report_decide(r);

    if (verdict == AUDIT_UNDECIDED)
        json_null(j, "private");
    else
        json_bool(j, "private", verdict == AUDIT_PRIVATE);
    if (r->objection)
        json_string(j, "objection", r->objection);
    else
        json_null(j, "objection");
    json_bool(j, "coalition", r->one);
}

void audit_report_json(const struct audit_result *r, const struct model *m, struct text *text)
{
    struct json j = { .text = text };
    struct findings f;
    struct hagg_err err = { 0 };

    if (findings_new(&f, r, m, &err))
        text->failed = true;
    json_open(&j, NULL, '{');
    json_verdict(&j, r);
    if (r->required)
        require_json(r->required, &j);
    json_bool(&j, "sampled", r->sampled);
    json_uint(&j, "sets", r->n_sets);
    json_uint(&j, "checked", r->n_checked);
    json_bool(&j, "stopped", r->stopped);
    json_how(&j, r);
    if (r->alone)
        json_alone(&j, r, m);
    json_open(&j, "leaks", '[');
    for (size_t i = 0; i < r->n_leaks && !text->failed; i++)
        json_leak(&j, &r->leaks[i], &f.who[i], m);
    json_close(&j, ']');
    if (r->unlimited && audit_report_decide(r) == AUDIT_PRIVATE)
        audit_report_seeds_json(r->unlimited, &j);
    if (r->has_unlimited) {
        json_open(&j, "with_seeds", '{');
        json_uint(&j, "rank", r->with_seeds.rank);
        json_uint(&j, "parts", r->with_seeds.cut);
        json_parts(&j, "affected", &r->with_seeds);
        json_close(&j, '}');
    }
    if (r->promises)
        promise_json(r->promises, &j);
    if (r->beyond)
        beyond_json(r->beyond, m, &j);
    json_close(&j, '}');
    findings_free(&f);
    text_printf(text, "\n");
}
