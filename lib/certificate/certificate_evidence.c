#include "audit/findings.h"
#include "certificate/certificate_sections.h"
#include "certificate/html.h"

/* Coalitions of one kind that are named on the page; beyond this only their number. */
#define COALITIONS_NAMED 12

static void put_finding(const struct certificate *c, const struct findings *f,
                        const struct findings_group *g, struct text *text)
{
    size_t first = g->leaks[0];
    const struct learnt *l = &c->result->leaks[first].learnt;

    text_printf(text, "<div class=\"finding\">\n<p><strong>");
    findings_put_who(&f->who[first], text);
    text_printf(text, "</strong> %s:</p>\n<ul>\n",
                findings_who_count(&f->who[first]) > 1 ? "learn" : "learns");
    for (size_t i = 0; i < l->n_parts; i++) {
        text_printf(text, "<li>");
        findings_put_part(l, &l->parts[i], text);
        text_printf(text, "</li>\n");
    }
    text_printf(text, "</ul>\n");
    if (g->n > 1)
        text_printf(text, "<p>As much, of the same or other clients, is learnt by:</p>\n<ul>\n");
    for (size_t i = 1; i < g->n && i <= COALITIONS_NAMED; i++) {
        text_printf(text, "<li>");
        findings_put_who(&f->who[g->leaks[i]], text);
        text_printf(text, "</li>\n");
    }
    if (g->n > COALITIONS_NAMED + 1)
        text_printf(text, "<li>and %zu more</li>\n", g->n - 1 - COALITIONS_NAMED);
    text_printf(text, "%s</div>\n", g->n > 1 ? "</ul>\n" : "");
}

int certificate_findings(const struct certificate *c, struct text *text, struct hagg_err *err)
{
    struct findings f;
    int status;

    if (c->result->n_leaks == 0)
        return 0;
    status = findings_new(&f, c->result, c->model, err);
    text_printf(text,
                "<h2>Who learns too much</h2>\n<p>%s%zu coalition%s, that is %s of nodes that pool "
                "what they see, learn%s more than the plan allows. Every member listed is needed "
                "for it.</p>\n",
                c->result->stopped ? "At least " : "", c->result->n_leaks,
                c->result->n_leaks == 1 ? "" : "s", c->result->n_leaks == 1 ? "a group" : "groups",
                c->result->n_leaks == 1 ? "s" : "");
    for (size_t i = 0; i < f.n_groups && status == 0; i++)
        put_finding(c, &f, &f.groups[i], text);
    findings_free(&f);
    return status;
}

static void put_side(const struct audit_side *s, const struct audit_result *r, bool all_relays,
                     bool all_decided, struct text *text)
{
    static const char *const how[] = { [AUDIT_OPEN] = "open",
                                       [AUDIT_PROVED] = "all at once, by proof",
                                       [AUDIT_SEARCHED] = "each by itself" };
    const struct {
        uint32_t n;
        const char *name;
    } members[] = { { s->clients, "client" }, { s->stations, "station" }, { s->relays, "relay" } };
    const char *before = "";

    text_printf(text, "<tr><th scope=\"row\">");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (members[i].n == 0)
            continue;
        text_printf(text, "%s", before);
        html_counted(text, members[i].n, members[i].name);
        before = ", ";
    }
    if (s->federator)
        text_printf(text, "%s%sthe federator", before, all_relays ? "all relays, " : "");
    else
        text_printf(text, "%swithout the federator", before);
    if (s->missing > 0) {
        text_printf(text, "; ");
        html_counted(text, s->missing, "client");
        text_printf(text, " missing");
    }
    text_printf(text, "</th><td class=\"number\">");
    html_count(text, s->n_sets);
    if (!all_decided) {
        text_printf(text, "</td><td class=\"number\">");
        html_count(text, s->n_checked);
    }
    text_printf(text, "</td><td>%s</td></tr>\n",
                s->how == AUDIT_OPEN && r->n_leaks > 0 ? "leaks found, or open" : how[s->how]);
}

static void put_sides(const struct certificate *c, struct text *text)
{
    const struct audit_result *r = c->result;
    bool all_relays = r->relays_see_total && c->plan->topology.n_relays > 0, all_decided = true;

    if (r->n_sides == 0)
        return;
    for (size_t i = 0; i < r->n_sides; i++)
        all_decided = all_decided && r->sides[i].n_checked == r->sides[i].n_sets;
    text_printf(text,
                "<div class=\"scroll\">\n<table class=\"wide\">\n<caption>Largest coalitions. "
                "Smaller ones learn no more.</caption>\n<thead><tr><th scope=\"col\">Members</th>"
                "<th scope=\"col\" class=\"number\">Coalitions</th>%s<th scope=\"col\">How"
                "</th></tr></thead>\n<tbody>\n",
                all_decided ? "" : "<th scope=\"col\" class=\"number\">Of these decided</th>");
    for (size_t i = 0; i < r->n_sides; i++)
        put_side(&r->sides[i], r, all_relays, all_decided, text);
    text_printf(text, "</tbody>\n</table>\n</div>\n");
}

static void put_method(const struct audit_result *r, size_t n_clients, struct text *text)
{
    bool proved = false, searched = r->n_sides == 0;

    for (size_t i = 0; i < r->n_sides; i++) {
        proved = proved || r->sides[i].how == AUDIT_PROVED;
        searched = searched || r->sides[i].how == AUDIT_SEARCHED;
    }
    text_printf(text, "<ul>\n<li>Every message of a round is a linear combination of vectors and "
                      "random vectors. By linear algebra one computes exactly what a coalition can "
                      "conclude from all messages that it sees. No statistics are "
                      "involved.</li>\n");
    if (proved)
        text_printf(text, "<li><strong>By proof</strong> means that the structure of the plan was "
                          "checked, with the numbers that the commands use, against the premises "
                          "of a theorem about all coalitions: docs/audit.md.</li>\n");
    if (searched)
        text_printf(text, "<li><strong>Each by itself</strong> means that the linear system of "
                          "every coalition was solved; of several that are equivalent, that of "
                          "one.</li>\n");
    if (r->n_verified > 0) {
        text_printf(text, "<li>As a check of the proof, the linear systems of ");
        html_counted(text, r->n_verified, "coalition");
        text_printf(text, " chosen at random were solved too");
        if (r->n_verified_clients < n_clients) {
            text_printf(text, ", each in a part of the network with up to ");
            html_counted(text, r->n_verified_clients, "client");
        }
        text_printf(text, ". They agree with it.</li>\n");
    }
    if (r->timed_out)
        text_printf(text, "<li><strong>The time limit was reached</strong> before all coalitions "
                          "were decided.</li>\n");
    else if (r->stopped)
        text_printf(text, "<li>The search ended when enough leaks were found, so there may be "
                          "more.</li>\n");
    text_printf(text, "</ul>\n");
}

void certificate_evidence(const struct certificate *c, struct text *text)
{
    const struct audit_result *r = c->result;
    enum audit_verdict verdict = audit_report_decide(c->result);

    text_printf(text, "<h2>What was %s</h2>\n<p>",
                verdict == AUDIT_PRIVATE ? "proved, and how" : "examined, and how");
    if (r->n_leaks > 0) {
        text_printf(text, "The bounds of the plan allow ");
        html_counted(text, r->n_sets, "coalition");
        text_printf(text, ".</p>\n");
    } else {
        bool all = !r->sampled && audit_report_decide(r) != AUDIT_UNDECIDED;

        html_count(text, r->n_checked);
        text_printf(text, r->sampled ? " random draws from " : all ? "" : " of ");
        if (!all)
            html_count(text, r->n_sets);
        text_printf(text, " coalitions of colluding nodes were %s.</p>\n",
                    r->sampled ? "examined" : "covered");
    }
    put_sides(c, text);
    put_method(r, c->model->n_clients, text);
}
