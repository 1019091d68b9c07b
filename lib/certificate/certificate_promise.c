#include "certificate/certificate_sections.h"
#include "certificate/html.h"

/* "any 2 stations", "any single client" */
static void put_any(uint32_t n, const char *one, struct text *text)
{
    if (n == 1)
        text_printf(text, "any single %s", one);
    else {
        text_printf(text, "any ");
        html_counted(text, n, one);
    }
}

/* "any 2 clients, any single station, all relays and the federator"; relays and federator may be
 * NULL. */
static void put_colluders(uint32_t clients, uint32_t stations, const char *relays,
                          const char *federator, struct text *text)
{
    size_t n = (clients > 0) + (stations > 0) + (relays != NULL) + (federator != NULL), at = 0;

    for (int i = 0; i < 4; i++) {
        if (i == 0 ? clients == 0 : i == 1 ? stations == 0 : i == 2 ? !relays : !federator)
            continue;
        text_printf(text, "%s", at == 0 ? "" : at + 1 == n ? " and " : ", ");
        at++;
        if (i < 2)
            put_any(i == 0 ? clients : stations, i == 0 ? "client" : "station", text);
        else
            text_printf(text, "%s", i == 2 ? relays : federator);
    }
}

static void put_row(uint32_t clients, uint32_t stations, const char *relays, const char *federator,
                    const char *learn, struct text *text)
{
    text_printf(text, "<tr><th scope=\"row\">");
    put_colluders(clients, stations, relays, federator, text);
    text_printf(text, "</th><td>%s</td></tr>\n", learn);
}

#define NOTHING "nothing about the vectors of the other clients"
#define TOTAL   "the total of the other clients, and nothing else about their vectors"

/* The relays that may collude, or nothing if there are none. */
static void name_relays(const struct topology *t, struct text *words)
{
    if (t->n_relays > 0 && t->aligned)
        text_printf(words, "all relays");
    else if (t->n_relays > 0 && t->collude_relays > 0)
        put_any(t->collude_relays, "relay", words);
}

static void put_missing(const struct topology *t, struct text *text)
{
    if (t->drop_clients > 0) {
        text_printf(text, "<li>Up to ");
        html_counted(text, t->drop_clients, "client");
        text_printf(text, " may be left out of the total after sending shares. The promise covers "
                          "them too.</li>\n");
    }
    if (t->drop_stations > 0 || t->drop_relays > 0) {
        text_printf(text, "<li>");
        if (t->drop_stations > 0)
            html_counted(text, t->drop_stations, "station");
        if (t->drop_stations > 0 && t->drop_relays > 0)
            text_printf(text, " and ");
        if (t->drop_relays > 0)
            html_counted(text, t->drop_relays, "relay");
        text_printf(text, " may be missing. The total is exact nevertheless.</li>\n");
    } else
        text_printf(text,
                    "<li>Every station%s that the plan uses must take part. If one is missing, "
                    "there is no total.</li>\n",
                    t->n_relays > 0 ? " and relay" : "");
}

void certificate_promise(const struct certificate *c, struct text *text)
{
    const struct topology *t = &c->plan->topology;
    enum audit_verdict verdict = audit_report_decide(c->result);
    struct text relays = { 0 };

    name_relays(t, &relays);
    text->failed = text->failed || relays.failed;
    text_printf(text, "<h2>What %s, and against whom</h2>\n",
                verdict == AUDIT_PRIVATE ? "is promised" : "the plan demands");
    if (verdict == AUDIT_NOT_PRIVATE)
        text_printf(text, "<p><strong>The audit found that this plan does not keep this "
                          "promise.</strong></p>\n");
    if (verdict == AUDIT_UNDECIDED)
        text_printf(text, "<p><strong>The audit has not proved this promise.</strong></p>\n");
    text_printf(text,
                "<div class=\"scroll\">\n<table class=\"wide\">\n<thead><tr><th "
                "scope=\"col\">If these collude</th>"
                "<th scope=\"col\">They %s</th></tr></thead>\n<tbody>\n",
                verdict == AUDIT_PRIVATE ? "learn" : "may learn at most");
    put_row(t->collude_clients, t->full ? t->collude_stations : 0, relays.bytes, "the federator",
            TOTAL, text);
    if (t->collude_clients + t->collude_stations > 0)
        put_row(t->collude_clients, t->collude_stations,
                t->full && !t->aligned ? relays.bytes : NULL, NULL, NOTHING, text);
    for (size_t i = 0; i < t->n_tolerated; i++) {
        struct text most = { 0 };

        text_printf(&most, "%sat most %u/%u of the vector of any other client",
                    t->full ? "the total and " : "", t->tolerated[i].num, t->tolerated[i].den);
        put_row(t->collude_clients, t->tolerated[i].stations, NULL,
                t->full ? "the federator" : NULL, text_ok(&most) ? most.bytes : "", text);
        text->failed = text->failed || most.failed;
        text_free(&most);
    }
    put_row(0, 0, NULL, "any single station alone", NOTHING, text);
    if (t->n_relays > 0 && !t->aligned)
        put_row(0, 0, NULL, "any single relay alone", NOTHING, text);
    put_row(0, 0, NULL, "the federator alone", "the total, and nothing else", text);
    if (!t->full)
        put_row(0, 0, NULL,
                t->n_relays > 0 ? "a station together with a relay or the federator"
                                : "a station and the federator together",
                "<strong>not covered</strong>: the plan assumes that they do not collude", text);
    text_printf(text, "</tbody>\n</table>\n</div>\n<ul>\n");
    if (verdict == AUDIT_PRIVATE && c->result->unlimited)
        text_printf(text, "<li>Within these bounds the protection rests on an assumption: see "
                          "below.</li>\n");
    else if (verdict == AUDIT_PRIVATE)
        text_printf(text, "<li>Within these bounds the protection does not depend on computing "
                          "power: what colluders see is, apart from the above, random to "
                          "them.</li>\n");
    if (t->full && t->n_tolerated > 0)
        text_printf(text, "<li>A part of a vector that is learnt includes what follows from the "
                          "total and from what is learnt of the other vectors in it.</li>\n");
    text_printf(text, "<li>A total is revealed only if at least ");
    html_counted(text, t->minimum, "client");
    text_printf(text, " are in it.</li>\n");
    put_missing(t, text);
    text_printf(text, "</ul>\n");
    text_free(&relays);
    if (verdict == AUDIT_PRIVATE && c->result->unlimited)
        certificate_seeds(c, text);
}
