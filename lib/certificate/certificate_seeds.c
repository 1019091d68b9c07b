#include "audit/findings.h"
#include "certificate/certificate_sections.h"

/* Kinds of clients that are listed on the page; beyond this only their number. */
#define KINDS_NAMED 100

static void put_clients(const struct rangeset *clients, struct text *text)
{
    text_printf(text, "<tr><th scope=\"row\">client%s ", rangeset_count(clients) > 1 ? "s" : "");
    findings_put_numbers(clients, text);
    text_printf(text, "</th><td>");
}

static void put_table(const struct certificate *c, const struct unlimited *u, struct text *text)
{
    uint64_t n_left = 0;

    text_printf(text, "<div class=\"scroll\">\n<table class=\"wide\">\n<thead><tr><th "
                      "scope=\"col\">Vectors of</th><th scope=\"col\">The assumption is needed "
                      "against</th></tr></thead>\n<tbody>\n");
    if (u->proved.n > 0) {
        put_clients(&u->proved, text);
        text_printf(text, "nobody");
        audit_report_proved(u, text);
        text_printf(text, "</td></tr>\n");
    }
    for (size_t i = 0; i < u->n_kinds && i < KINDS_NAMED; i++) {
        put_clients(&u->kinds[i].clients, text);
        audit_report_against(&u->kinds[i], c->plan->topology.n_relays > 0, text);
        text_printf(text, "</td></tr>\n");
    }
    for (size_t i = KINDS_NAMED; i < u->n_kinds; i++)
        n_left += rangeset_count(&u->kinds[i].clients);
    if (n_left > 0)
        text_printf(text,
                    "<tr><th scope=\"row\">%llu more clients</th><td>others: "
                    "<code>hagg-audit --json</code> lists them</td></tr>\n",
                    (unsigned long long)n_left);
    text_printf(text, "</tbody>\n</table>\n</div>\n");
}

void certificate_seeds(const struct certificate *c, struct text *text)
{
    const struct unlimited *u = c->result->unlimited;

    text_printf(text, "<h2>What this assumes</h2>\n<p>Some random pieces are not sent themselves, "
                      "but as a short seed from which the receiver computes them. So it is assumed "
                      "that ");
    audit_report_assumption(u, text);
    text_printf(text, ".</p>\n");
    if (u->open) {
        text_printf(text, "<p>Against whom this is needed was not determined.</p>\n");
        return;
    }
    put_table(c, u, text);
    text_printf(text, "<p>Against all other coalitions of the plan the protection does not depend "
                      "on computing power");
    audit_report_total(u, text);
    text_printf(text, ". Whoever stores sealed records, such as a courier, must not be able to "
                      "open them later either.</p>\n");
}
