#include "certificate/certificate_sections.h"
#include "certificate/html.h"
#include "cost/count/fraction.h"
#include "cost/count/plan_cost.h"
#include "cost/report/report_print.h"

static void put_number(const mpq_t q, struct text *text)
{
    text_printf(text, "<td class=\"number\">");
    fraction_print_decimal(q, text);
    text_printf(text, "</td>");
}

static void put_bytes(const struct report *r, const struct sheet_line *line, struct text *text)
{
    mpz_t bytes;

    if (r->length == 0)
        return;
    mpz_init(bytes);
    report_bytes(bytes, r, line->n_symbols);
    text_printf(text, "<td class=\"number\">");
    if (mpz_fits_ulong_p(bytes))
        html_count(text, mpz_get_ui(bytes));
    else
        fraction_print_integer(bytes, text);
    text_printf(text, "</td>");
    mpz_clear(bytes);
}

static void put_line(const struct report *r, const char *name, const struct sheet_line *line,
                     const char *attributes, struct text *text)
{
    text_printf(text, "<tr%s><th scope=\"row\">%s</th>", attributes, name);
    put_number(line->times, text);
    put_bytes(r, line, text);
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

static void put_tables(const struct report *r, const struct report_row *row, struct text *text)
{
    text_printf(text, "<p>All messages of a round together are as long as <strong>");
    fraction_print_decimal(row->sheet.total.times, text);
    text_printf(text, "</strong> vectors. There are ");
    html_counted(text, r->n_clients, "client");
    text_printf(
        text,
        ", each of which sends one vector if nothing is to be hidden.</p>\n"
        "<div class=\"scroll\">\n<table class=\"wide\">\n<thead><tr><th scope=\"col\">Link</th>"
        "<th scope=\"col\" class=\"number\">Vectors</th>%s</tr></thead>\n<tbody>\n",
        r->length > 0 ? "<th scope=\"col\" class=\"number\">Bytes</th>" : "");
    for (enum sheet_link link = 0; link < N_LINKS; link++)
        if (mpq_sgn(row->sheet.links[link].times) > 0)
            put_line(r, plan_cost_link_name(link), &row->sheet.links[link], "", text);
    put_line(r, "total", &row->sheet.total, " class=\"total\"", text);
    text_printf(text,
                "</tbody>\n</table>\n</div>\n<div class=\"scroll\">\n<table "
                "class=\"wide\">\n<caption>No protocol that keeps "
                "the same promise in this network can send less than these bounds.</caption>\n"
                "<thead><tr><th scope=\"col\">Bound</th><th scope=\"col\" class=\"number\">"
                "Vectors</th><th scope=\"col\" class=\"number\">This plan, multiple of it"
                "</th></tr></thead>\n<tbody>\n");
    put_bound("lower bound", r->bound, row->sheet.total.times, text);
    if (r->has_sharper)
        put_bound("sharper lower bound", r->sharper_low, row->sheet.total.times, text);
    text_printf(text, "</tbody>\n</table>\n</div>\n");
}

int certificate_costs(const struct certificate *c, struct text *text, struct hagg_err *err)
{
    const struct report_row *row = NULL;
    struct report r;

    if (report_of_plan(&r, c->plan, "plan,bound,sharper", err))
        return -1;
    for (size_t i = 0; i < r.n_rows && !row; i++)
        if (report_lists("plan", r.rows[i].name))
            row = &r.rows[i];
    text_printf(text, "<h2>What it costs</h2>\n");
    if (row)
        put_tables(&r, row, text);
    else
        text_printf(text, "<p>The plan has no complete routes, so its messages cannot be "
                          "counted.</p>\n");
    report_free(&r);
    return 0;
}
