#include "certificate/certificate.h"

#include <string.h>

#include "base/shell.h"
#include "certificate/certificate_sections.h"
#include "certificate/html.h"
#include "records/describe.h"

#define WEAK (AUDIT_UNDECIDED + 1)

static const struct verdict {
    const char *class, *title, *verdict, *words;
} verdicts[] = {
    [AUDIT_PRIVATE] = { "good", "Privacy certificate", "Private",
                        "No group of colluders that the plan allows learns more than the total. "
                        "This was proved for all of them, not estimated." },
    [AUDIT_NOT_PRIVATE] = { "bad", "Audit report: not private", "Not private",
                            "Do not use this plan. This page is not a certificate." },
    [AUDIT_UNDECIDED] = { "open", "Audit report: not decided", "Not decided",
                          "No leak was found, but not every group of colluders was examined. This "
                          "page is not a certificate." },
    [WEAK] = { "bad", "Audit report: weaker than required", "Private, but weaker than required",
               "No group of colluders that the plan allows learns more than the total. But the "
               "plan does not meet every condition that was required of it, so this page is not a "
               "certificate." },
};

static const struct verdict *verdict_of(const struct certificate *c)
{
    enum audit_verdict verdict = audit_report_decide(c->result);
    bool weak = c->result->required && !require_is_met(c->result->required);

    return &verdicts[verdict == AUDIT_PRIVATE && weak ? WEAK : (int)verdict];
}

static void put_head(const struct certificate *c, struct text *text)
{
    const struct verdict *verdict = verdict_of(c);

    text_printf(text,
                "<!DOCTYPE html>\n<html lang=\"en-GB\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" "
                "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
                "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                "<meta name=\"generator\" content=\"hagg %s\">\n<title>%s: ",
                c->version, verdict->title);
    html_string(text, c->plan->name);
    text_printf(text, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n",
                certificate_style());
}

static void put_verdict(const struct certificate *c, struct text *text)
{
    const struct verdict *verdict = verdict_of(c);

    text_printf(text, "<header>\n<h1>%s</h1>\n<p class=\"lead\">Sum of vectors under ",
                verdict->title);
    text_printf(text, "the plan <code>");
    html_string(text, c->plan->name);
    text_printf(text,
                "</code></p>\n</header>\n<div class=\"verdict %s\" role=\"note\">"
                "<strong>%s</strong>\n<p>%s</p>\n",
                verdict->class, verdict->verdict, verdict->words);
    if (audit_report_decide(c->result) == AUDIT_PRIVATE && c->result->unlimited)
        text_printf(text, "<p>This rests on an assumption about computing power: see \"What this "
                          "assumes\".</p>\n");
    if (c->result->objection) {
        text_printf(text, "<p>");
        html_string(text, c->result->objection);
        text_printf(text, "</p>\n");
    }
    text_printf(text, "</div>\n");
}

void certificate_nodes(const struct topology *t, struct text *text)
{
    html_counted(text, t->n_clients, "client");
    text_printf(text, ", ");
    html_counted(text, t->n_stations, "station");
    if (t->n_relays > 0) {
        text_printf(text, ", ");
        html_counted(text, t->n_relays, "relay");
    }
    text_printf(text, ", 1 federator");
}

static void put_facts(const struct certificate *c, struct text *text)
{
    const struct topology *t = &c->plan->topology;
    char digest[DESCRIBE_DIGEST_ROOM(HEADER_PLAN_BYTES)];

    describe_digest(digest, c->plan->digest, sizeof c->plan->digest);
    text_printf(text, "<h2>The plan</h2>\n<table class=\"facts\">\n<tbody>\n"
                      "<tr><th scope=\"row\">Network</th><td>");
    certificate_nodes(t, text);
    text_printf(text, "</td></tr>\n<tr><th scope=\"row\">Protocol</th><td>%s, %s collusion</td>",
                t->aligned ? "aligned" : "keys", t->full ? "full" : "partial");
    text_printf(text, "</tr>\n<tr><th scope=\"row\">Arithmetic</th><td>field ");
    html_string(text, t->field);
    if (header_has_quant(&t->quant)) {
        text_printf(text, ", values rounded to ");
        describe_levels(text, &t->quant);
    }
    if (topology_integers_given(&t->integers))
        text_printf(text, ", integers from %lld to %lld", (long long)t->integers.lo,
                    (long long)t->integers.hi);
    text_printf(text, "</td></tr>\n");
    if (t->length > 0) {
        text_printf(text, "<tr><th scope=\"row\">Vectors</th><td>");
        html_counted(text, t->length, "element");
        text_printf(text, "%s</td></tr>\n", t->samples ? " and a sample count" : "");
    }
    text_printf(text,
                "<tr><th scope=\"row\">Plan, SHA-256</th><td><code>%s</code></td></tr>\n"
                "<tr><th scope=\"row\">Audited with</th><td>hagg-audit (hagg) %s</td></tr>\n",
                digest, c->version);
    if (c->date) {
        text_printf(text, "<tr><th scope=\"row\">Date</th><td>");
        html_string(text, c->date);
        text_printf(text, "</td></tr>\n");
    }
    text_printf(text, "</tbody>\n</table>\n");
}

static void put_explanation(struct text *text)
{
    text_printf(
        text,
        "<p>Each <em>client</em> has a vector of numbers that nobody else may see. It sends "
        "random-looking pieces of it, called shares, to several <em>stations</em>. The stations "
        "add up what they receive, and the <em>federator</em> computes the <em>total</em>: the sum "
        "of all vectors. This page states what the nodes learn if some of them <em>collude</em>, "
        "which means that they pool everything they see.</p>\n");
}

/* Appends a command and the plan's file as its operand, quoted for the shell. */
static void put_command(const struct certificate *c, const char *command, struct text *text)
{
    bool has_file = strcmp(c->plan->name, topology_name("-")) != 0;
    const char *file = has_file ? c->plan->name : "PLAN";
    struct text name = { 0 }, quoted = { 0 };

    /* otherwise the name would be an option */
    text_printf(&name, "%s%s", file[0] == '-' ? "./" : "", file);
    if (text_ok(&name))
        shell_quote(&quoted, name.bytes);
    text_printf(text, "<code>%s ", command);
    if (text_ok(&name) && text_ok(&quoted))
        html_string(text, quoted.bytes);
    else
        text->failed = true;
    text_printf(text, "</code>");
    text_free(&name);
    text_free(&quoted);
}

static void put_foot(const struct certificate *c, struct text *text)
{
    text_printf(text, "<h2>How to check this page</h2>\n<ul>\n<li>");
    put_command(c, "hagg-plan --digest", text);
    text_printf(text, " prints the SHA-256 of a plan. Every node that takes part must have "
                      "the plan with the digest above.</li>\n<li>");
    put_command(c, "hagg-audit --report -", text);
    text_printf(text,
                " repeats the audit. The same version of hagg writes the same page for the "
                "same plan and options, byte for byte.</li>\n"
                "<li>hagg-audit(1), docs/audit.md and docs/security.md, which are installed with "
                "hagg, contain the proof and the limits in full.</li>\n</ul>\n"
                "<footer>Written by hagg-audit (hagg) %s. This page contains no scripts and loads "
                "nothing from elsewhere.</footer>\n</main>\n</body>\n</html>\n",
                c->version);
}

int certificate_print(const struct certificate *c, struct text *text, struct hagg_err *err)
{
    put_head(c, text);
    put_verdict(c, text);
    if (certificate_findings(c, text, err))
        return -1;
    put_facts(c, text);
    put_explanation(text);
    certificate_promise(c, text);
    certificate_required(c, text);
    text_printf(text, "<h2>The network</h2>\n");
    if (certificate_drawing(c, text, err))
        return -1;
    certificate_evidence(c, text);
    if (certificate_costs(c, text, err))
        return -1;
    certificate_limits(c, text);
    put_foot(c, text);
    return text_ok(text) ? 0 : err_errno(err, "no memory for the report");
}
