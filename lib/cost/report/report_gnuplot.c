#include "cost/count/fraction.h"
#include "cost/report/gnuplot.h"
#include "cost/count/plan_cost.h"
#include "cost/report/report_print.h"

/* Seeds can be drawn if the length of the vector is known. */
static bool draws_seeds(const struct report *r)
{
    return r->length > 0 && report_has_seeds(r);
}

/* Prints what a line has in multiples of the vector, or their price. */
static void print_times(const struct report *r, const struct sheet_line *line, struct text *text)
{
    mpq_t price;

    text_printf(text, "\t");
    if (r->price_unit == 0) {
        fraction_print_digits(line->times, text);
        return;
    }
    mpq_init(price);
    sheet_line_price(price, line, r->price_unit);
    fraction_print_digits(price, text);
    mpq_clear(price);
}

/* The same for seeds. */
static void print_seeds(const struct report *r, const struct sheet_line *line, struct text *text)
{
    mpq_t share;

    mpq_init(share);
    mpq_set_z(share, r->price_unit > 0 ? line->seed_price : line->n_seeds);
    mpz_mul_ui(mpq_numref(share), mpq_numref(share), SHEET_SEED_BYTES);
    fraction_set_integer(mpq_denref(share), r->length);
    mpz_mul_ui(mpq_denref(share), mpq_denref(share), (unsigned long)r->elem_bytes);
    mpz_mul_ui(mpq_denref(share), mpq_denref(share), r->price_unit > 0 ? r->price_unit : 1);
    mpq_canonicalize(share);
    text_printf(text, "\t");
    fraction_print_digits(share, text);
    mpq_clear(share);
}

static void print_row(const struct report *r, const struct report_row *row, struct text *text)
{
    text_printf(text, "\"%s%s%s%s%s\"", row->name, row->sets[0] ? " " : "", row->sets,
                row->against[0] ? " " : "", row->against);
    for (enum topology_link link = 0; link < N_LINKS; link++)
        if (report_uses_link(r, link))
            print_times(r, &row->sheet.links[link], text);
    if (draws_seeds(r))
        print_seeds(r, &row->sheet.total, text);
    if (row->has_links)
        text_printf(text, "\t0");
    else
        print_times(r, &row->sheet.total, text);
    text_printf(text, "\n");
}

void report_print_gnuplot(const struct report *r, struct text *text)
{
    size_t n_links = 0;

    gnuplot_begin(text);
    text_printf(text, "$costs << end_of_costs\nprotocol");
    for (enum topology_link link = 0; link < N_LINKS; link++)
        if (report_uses_link(r, link)) {
            text_printf(text, "\t\"%s\"", plan_cost_link_name(link));
            n_links++;
        }
    if (draws_seeds(r)) {
        text_printf(text, "\t\"seeds\"");
        n_links++;
    }
    text_printf(text, "\t\"in all\"\n");
    for (size_t i = 0; i < r->n_rows; i++)
        if (r->price_unit == 0 || report_has_price(r, &r->rows[i]))
            print_row(r, &r->rows[i], text);
    text_printf(text, "end_of_costs\n\n");
    gnuplot_title(text, r->title);
    text_printf(text,
                "set datafile separator tab\nset key outside right top\n"
                "set ylabel '%s / vector'\nset yrange [0:*]\n"
                "set style data histograms\nset style histogram rowstacked\n"
                "set style fill solid 0.8 border -1\nset boxwidth 0.7\nset xtics rotate by -40\n"
                "plot for [i = 2:%zu] $costs using i:xtic(1) title columnheader(i)\n",
                r->price_unit > 0 ? "price" : "sent", n_links + 2);
}
