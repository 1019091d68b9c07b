#include "audit/beyond.h"
#include "certificate/certificate_sections.h"
#include "certificate/html.h"

/* docs/security.md has the same in detail. */
static const struct {
    const char *title, *words;
} limits[] = {
    { "Nodes that break the rules",
      "All nodes are assumed to follow the protocol, even if they are curious and collude. A node "
      "that sends wrong numbers can falsify the total. A client can always contribute a false "
      "vector, because nobody can look into it. Nodes that ignore what they remember of a round "
      "can help each other to a second total." },
    { "What the total itself reveals",
      "The federator learns the total exactly, and so does everybody it is shown to. A total over "
      "few clients reveals much about each of them. Colluding clients can subtract their own "
      "vectors "
      "from it. No noise is added: this is not differential privacy." },
    { "Several rounds",
      "The proof is about one round. Totals of the same or similar vectors over different clients "
      "reveal the difference. A client refuses to share the same vector in two rounds, but similar "
      "vectors, as in repeated training, are not recognised." },
    { "Who takes part, and when",
      "Messages are not anonymous. Their headers show sender, receiver, round, length of the "
      "vector, and the clients in a sum. Only the values are protected." },
    { "Files on the way and at rest",
      "The proof is about what nodes receive. If the plan has identities, messages are sealed: "
      "only their receivers can read them, as long as their private keys are kept secret and the "
      "encryption is not broken. Otherwise somebody who reads messages between nodes learns as "
      "much as their receivers, and transport must be encrypted and authenticated by other means, "
      "such as ssh or TLS. Shares, masks and keys must be deleted after the round." },
    { "Nodes on one machine",
      "The numbers of colluders count nodes. The owner of a machine controls all nodes on it, "
      "and stations that belong to one organisation should be counted as colluding." },
    { "Quality of randomness", "The proof assumes uniform random numbers. They are those of the "
                               "operating system. Somebody who "
                               "can predict them can compute the vectors." },
};

/* With protocol aligned all relays may collude, so there is no number of them to exceed. */
static void put_bounds(const struct topology *t, struct text *text)
{
    bool count_relays = t->n_relays > 0 && !t->aligned;

    text_printf(text, "<h3>More colluders than the plan names</h3>\n<p>If more than ");
    html_counted(text, t->collude_clients, "client");
    text_printf(text, "%s more than ", count_relays ? "," : " or");
    html_counted(text, t->collude_stations, "station");
    if (count_relays) {
        text_printf(text, " or more than ");
        html_counted(text, t->collude_relays, "relay");
    }
    text_printf(text, " collude");
    if (!t->full)
        text_printf(text, ", or stations collude with %sthe federator",
                    t->n_relays > 0 ? "relays or " : "");
    text_printf(text,
                ", %s. Whether these numbers fit the people and "
                "organisations in the study is a judgement that no program can make.</p>\n",
                t->n_tolerated > 0 ? "nothing more is promised than in the table above"
                                   : "nothing is promised");
}

static void put_cells(const struct beyond_row *row, const struct model *m, struct text *text)
{
    struct beyond_cells cells;

    beyond_cells(&cells, row, m);
    text_printf(text, "<tr>");
    for (size_t i = 0; i < BEYOND_COLUMNS; i++) {
        const char *tag = row && i > 0 ? "td" : "th";

        text->failed = text->failed || !text_ok(&cells.text[i]);
        if (!text->failed)
            text_printf(text, "<%s%s>%s</%s>", tag,
                        !row     ? " scope=\"col\""
                        : i == 0 ? " scope=\"row\""
                                 : "",
                        cells.text[i].bytes, tag);
    }
    text_printf(text, "</tr>\n");
    beyond_cells_free(&cells);
}

/* What larger coalitions learn, if that was asked for. */
static void put_beyond(const struct beyond *b, const struct model *m, struct text *text)
{
    if (!b || b->n_rows == 0)
        return;
    text_printf(text, "<p>At worst they learn this much, in lengths of a vector:</p>\n"
                      "<div class=\"scroll\">\n<table class=\"wide\">\n<thead>");
    put_cells(NULL, m, text);
    text_printf(text, "</thead>\n<tbody>\n");
    for (size_t i = 0; i < b->n_rows; i++)
        put_cells(&b->rows[i], m, text);
    text_printf(text, "</tbody>\n</table>\n</div>\n");
}

void certificate_limits(const struct certificate *c, struct text *text)
{
    const struct topology *t = &c->plan->topology;

    text_printf(text, "<h2>What is not promised</h2>\n");
    put_bounds(t, text);
    put_beyond(c->result->beyond, c->model, text);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        text_printf(text, "<h3>%s</h3>\n<p>%s</p>\n", limits[i].title, limits[i].words);
    text_printf(text, "<h3>Few clients</h3>\n<p>This plan reveals totals of ");
    html_count(text, t->minimum);
    text_printf(text, " or more clients, of whom up to ");
    html_count(text, t->collude_clients);
    text_printf(text,
                " may collude. So a total may hide a vector among the vectors of only %u "
                "honest clients. Set <code>minimum</code> in the plan to the number that the "
                "study needs.</p>\n",
                t->minimum > t->collude_clients ? t->minimum - t->collude_clients : 0);
}
