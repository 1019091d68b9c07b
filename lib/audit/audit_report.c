#include "audit/audit_report.h"

#include <stdlib.h>

#include "audit/beyond.h"
#include "audit/findings.h"
#include "audit/promise.h"
#include "base/json.h"

/* Terms of a combination that are listed; beyond this only their number. */
#define TERMS_NAMED 12

/* Further coalitions of the same kind that are named; beyond this only their number. */
#define COALITIONS_NAMED 6

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

void audit_report_form(const struct model *m, const struct learnt *l, struct text *text)
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

    findings_lowest(&a, &b);
    if (a != 1 || b != 1)
        text_printf(text, "%zu", a);
    if (b != 1)
        text_printf(text, "/%zu", b);
    text_printf(text, "%sd", a != 1 || b != 1 ? " " : "");
}

static void put_finding(const struct audit_result *r, const struct findings *f, size_t leak,
                        struct text *text)
{
    const struct learnt *l = &r->leaks[leak].learnt;

    findings_put_who(&f->who[leak], text);
    text_printf(text, findings_who_count(&f->who[leak]) > 1 ? " learn:\n" : " learns:\n");
    for (size_t i = 0; i < l->n_parts; i++) {
        text_printf(text, "  ");
        findings_put_part(l, &l->parts[i], text);
        text_printf(text, "\n");
    }
}

/* The coalitions of the group after the first. */
static void put_others(const struct findings *f, const struct findings_group *g, struct text *text)
{
    if (g->n == 1)
        return;
    text_printf(text, "as much, of the same or other clients, is learnt by:\n");
    for (size_t i = 1; i < g->n && i <= COALITIONS_NAMED; i++) {
        text_printf(text, "  ");
        findings_put_who(&f->who[g->leaks[i]], text);
        text_printf(text, "\n");
    }
    if (g->n > COALITIONS_NAMED + 1)
        text_printf(text, "  and %zu more\n", g->n - 1 - COALITIONS_NAMED);
}

static void put_form(const struct learnt *l, const struct model *m, struct text *text)
{
    text_printf(text, "  form: ");
    audit_report_form(m, l, text);
    text_printf(text, " (leakage ");
    put_leakage(l, text);
    text_printf(text, " symbols)\n");
}

static void put_findings(const struct audit_result *r, const struct model *m, bool forms,
                         struct text *text)
{
    struct findings f;
    struct hagg_err err = { 0 };

    if (findings_new(&f, r, m, &err))
        text->failed = true;
    for (size_t i = 0; i < r->n_leaks && forms && !text->failed; i++) {
        put_finding(r, &f, i, text);
        put_form(&r->leaks[i].learnt, m, text);
    }
    for (size_t i = 0; i < f.n_groups && !forms && !text->failed; i++) {
        put_finding(r, &f, f.groups[i].leaks[0], text);
        put_others(&f, &f.groups[i], text);
    }
    findings_free(&f);
}

void audit_report_count(uint64_t n, struct text *text)
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

bool *audit_report_single(const struct audit_result *r, const struct model *m)
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
    bool *marks = audit_report_single(r, m);

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

enum audit_verdict audit_report_decide(const struct audit_result *r)
{
    bool leaks = r->n_leaks > 0 && !promise_tolerates(r);

    return leaks || r->objection                                ? AUDIT_NOT_PRIVATE
           : r->one || r->sampled || r->timed_out || r->stopped ? AUDIT_UNDECIDED
                                                                : AUDIT_PRIVATE;
}

static void put_open(const struct audit_side *s, struct text *text)
{
    text_printf(text, "still open: coalitions of up to ");
    text_printf(text, "%u client%s", s->clients, s->clients == 1 ? "" : "s");
    if (s->stations > 0)
        text_printf(text, ", %u station%s", s->stations, s->stations == 1 ? "" : "s");
    if (s->relays > 0)
        text_printf(text, ", %u relay%s", s->relays, s->relays == 1 ? "" : "s");
    text_printf(text, s->federator ? " and the federator" : ", without the federator");
    if (s->n_checked > 0) {
        text_printf(text, ": ");
        audit_report_count(s->n_checked, text);
        text_printf(text, " of ");
        audit_report_count(s->n_sets, text);
        text_printf(text, " checked");
    }
    text_printf(text, "\n");
}

static void put_checked(const struct audit_result *r, struct text *text)
{
    bool all = !r->timed_out && !r->stopped;

    text_printf(text, audit_report_decide(r) == AUDIT_PRIVATE ? "private: " : "no leak found: ");
    audit_report_count(r->n_checked, text);
    if (!all) {
        text_printf(text, " of ");
        audit_report_count(r->n_sets, text);
    }
    text_printf(text, " coalition%s checked%s\n", r->n_checked == 1 && all ? "" : "s",
                r->timed_out ? " before the time was up" : "");
    for (size_t i = 0; i < r->n_sides && !all; i++)
        if (r->sides[i].how == AUDIT_OPEN)
            put_open(&r->sides[i], text);
}

/* A set may be drawn more than once, so this is not the number of different sets. */
static void put_sampled(const struct audit_result *r, struct text *text)
{
    text_printf(text, "no leak found in ");
    audit_report_count(r->n_checked, text);
    text_printf(text, " random draw%s from ", r->n_checked == 1 ? "" : "s");
    audit_report_count(r->n_sets, text);
    text_printf(text, " coalition%s: not a proof\n", r->n_sets == 1 ? "" : "s");
}

static void put_verdict(const struct audit_result *r, struct text *text)
{
    if (r->objection)
        text_printf(text, "not private: %s\n", r->objection);
    if (r->one)
        text_printf(text, "this coalition learns no more than it may\n");
    else if (r->sampled)
        put_sampled(r, text);
    else
        put_checked(r, text);
}

/* The conditions that are met, and those that are not, on a line each. */
static void put_required(const struct require *required, struct text *text)
{
    for (int met = 1; met >= 0; met--) {
        struct text list = { 0 };

        require_put_list(required, met, &list);
        if (list.len > 0)
            text_printf(text, "required and %smet: %s\n", met ? "" : "not ", list.bytes);
        text->failed = text->failed || list.failed;
        text_free(&list);
    }
}

/* What one coalition would learn if seeds were no secret. */
static void put_with_seeds(const struct learnt *l, struct text *text)
{
    text_printf(text, l->rank == 0 ? "whatever its computing power, it learns no more\n"
                                   : "with the seeds of all other nodes, it would learn:\n");
    for (size_t i = 0; i < l->n_parts; i++) {
        text_printf(text, "  ");
        findings_put_part(l, &l->parts[i], text);
        text_printf(text, "\n");
    }
}

void audit_report_text(const struct audit_result *r, const struct model *m, bool forms,
                       struct text *text)
{
    put_findings(r, m, forms, text);
    if (r->n_leaks == 0)
        put_verdict(r, text);
    if (r->alone)
        put_alone(r, m, text);
    if (r->n_verified > 0) {
        audit_report_count(r->n_verified, text);
        text_printf(text, " random coalition%s confirmed by elimination",
                    r->n_verified == 1 ? "" : "s");
        if (r->n_verified_clients < m->n_clients)
            text_printf(text, ", each in a part of the network with up to %zu clients",
                        r->n_verified_clients);
        text_printf(text, "\n");
    }
    if (r->unlimited && audit_report_decide(r) == AUDIT_PRIVATE)
        audit_report_seeds(r->unlimited, m->n_relays > 0, text);
    if (r->has_unlimited)
        put_with_seeds(&r->with_seeds, text);
    if (r->promises && r->one)
        promise_put_compared(r->promises, text);
    else if (r->promises && audit_report_decide(r) == AUDIT_PRIVATE)
        promise_put(r->promises, text);
    if (r->beyond)
        beyond_put(r->beyond, m, text);
    if (r->required)
        put_required(r->required, text);
}

void audit_report_verdict(const struct audit_result *r, struct text *text)
{
    text_printf(text, "is not private: %s%zu coalition%s learn%s more than allowed",
                r->stopped ? "at least " : "", r->n_leaks, r->n_leaks == 1 ? "" : "s",
                r->n_leaks == 1 ? "s" : "");
}
