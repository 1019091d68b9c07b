#include "certificate/certificate_sections.h"
#include "certificate/html.h"
#include "cost/count/bound.h"
#include "cost/count/fraction.h"
#include "cost/count/plan_cost.h"

/* What a round sends, and what every private protocol sends at least. */
struct costs {
    struct sheet sheet;
    mpq_t bound, sharper, sharper_high;
    uint64_t length; /* of vectors, including the sample count; 0: unknown */
    struct bytes_options records;
};

static int costs_new(struct costs *c, const struct plan *p, struct hagg_err *err)
{
    const struct topology *t = &p->topology;

    c->length = t->length > 0 ? t->length + t->samples : 0;
    c->records = (struct bytes_options){ .round = 1 };
    sheet_init(&c->sheet);
    c->sheet.records = &c->records;
    mpq_inits(c->bound, c->sharper, c->sharper_high, NULL);
    if (sheet_add_round(&c->sheet, p, c->length, NULL, err) || bound_of_plan(c->bound, p, err) ||
        bound_sharper(c->sharper, c->sharper_high, NULL, p, err))
        return -1;
    sheet_close(&c->sheet);
    return 0;
}

static void costs_free(struct costs *c)
{
    sheet_clear(&c->sheet);
    mpq_clears(c->bound, c->sharper, c->sharper_high, NULL);
}

static void put_number(const mpq_t q, struct text *text)
{
    text_printf(text, "<td class=\"number\">");
    fraction_print_decimal(q, text);
    text_printf(text, "</td>");
}

static void put_bytes(const struct costs *c, const struct sheet_line *line, struct text *text)
{
    if (!c->sheet.has_bytes)
        return;
    text_printf(text, "<td class=\"number\">");
    if (mpz_fits_ulong_p(line->n_bytes))
        html_count(text, mpz_get_ui(line->n_bytes));
    else
        fraction_print_integer(line->n_bytes, text);
    text_printf(text, "</td>");
}

static void put_line(const struct costs *c, const char *name, const struct sheet_line *line,
                     const char *attributes, struct text *text)
{
    text_printf(text, "<tr%s><th scope=\"row\">%s</th>", attributes, name);
    put_number(line->times, text);
    put_bytes(c, line, text);
    text_printf(text, "</tr>\n");
}

/* A bound, and the cost as a multiple of it. */
static void put_bound(const char *name, const mpq_t bound, const mpq_t total, struct text *text)
{
    mpq_t ratio;

    if (mpq_sgn(bound) == 0)
        return;
    mpq_init(ratio);
    mpq_div(ratio, total, bound);
    text_printf(text, "<tr><th scope=\"row\">%s</th>", name);
    put_number(bound, text);
    put_number(ratio, text);
    text_printf(text, "</tr>\n");
    mpq_clear(ratio);
}

static void put_tables(const struct costs *c, const struct plan *p, struct text *text)
{
    text_printf(text, "<p>All messages of a round together are as long as <strong>");
    fraction_print_decimal(c->sheet.total.times, text);
    text_printf(text, "</strong> vectors. There are ");
    html_counted(text, p->topology.n_clients, "client");
    text_printf(
        text,
        ", each of which sends one vector if nothing is to be hidden.</p>\n"
        "<div class=\"scroll\">\n<table class=\"wide\">\n<thead><tr><th scope=\"col\">Link</th>"
        "<th scope=\"col\" class=\"number\">Vectors</th>%s</tr></thead>\n<tbody>\n",
        c->sheet.has_bytes ? "<th scope=\"col\" class=\"number\">Bytes</th>" : "");
    for (enum topology_link link = 0; link < N_LINKS; link++)
        if (mpz_sgn(c->sheet.links[link].n_messages) > 0)
            put_line(c, plan_cost_link_name(link), &c->sheet.links[link], "", text);
    put_line(c, "total", &c->sheet.total, " class=\"total\"", text);
    text_printf(text, "</tbody>\n</table>\n</div>\n");
    if (c->sheet.has_bytes)
        text_printf(
            text,
            "<p>Bytes are those of all records, with their headers, in round 1, for vectors of "
            "one dimension and of type %s.</p>\n",
            record_sizes_type(p));
    text_printf(text,
                "<div class=\"scroll\">\n<table "
                "class=\"wide\">\n<caption>No protocol that keeps "
                "the same promise in this network can send less than these bounds.</caption>\n"
                "<thead><tr><th scope=\"col\">Bound</th><th scope=\"col\" class=\"number\">"
                "Vectors</th><th scope=\"col\" class=\"number\">This plan, multiple of it"
                "</th></tr></thead>\n<tbody>\n");
    put_bound("lower bound", c->bound, c->sheet.total.times, text);
    put_bound("sharper lower bound", c->sharper, c->sheet.total.times, text);
    text_printf(text, "</tbody>\n</table>\n</div>\n");
}

int certificate_costs(const struct certificate *c, struct text *text, struct hagg_err *err)
{
    struct costs costs;
    int status = costs_new(&costs, c->plan, err);

    text_printf(text, "<h2>What it costs</h2>\n");
    if (status == 0)
        put_tables(&costs, c->plan, text);
    costs_free(&costs);
    return status;
}
