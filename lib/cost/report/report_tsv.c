#include "cost/count/fraction.h"
#include "cost/count/plan_cost.h"
#include "cost/report/report_print.h"

/* "103/3<tab>34.3333333333333" */
static void print_number(const mpq_t q, struct text *text)
{
    text_printf(text, "\t");
    fraction_print_exact(q, text);
    text_printf(text, "\t");
    fraction_print_digits(q, text);
}

/* The number of seeds, if any row has seeds. */
static void print_seeds(const struct report *r, const struct sheet_line *line, struct text *text)
{
    if (!report_has_seeds(r))
        return;
    text_printf(text, "\t");
    if (line && mpz_sgn(line->n_messages) > 0)
        fraction_print_integer(line->n_seeds, text);
}

/* The price, exactly and as a decimal number, and that of all symbols. line is NULL if there is
 * none. */
static void print_price(const struct report *r, const struct sheet_line *line, struct text *text)
{
    mpq_t price;

    if (r->price_unit == 0)
        return;
    if (!line) {
        text_printf(text, "\t\t\t");
        return;
    }
    mpq_init(price);
    sheet_line_price(price, line, r->price_unit);
    print_number(price, text);
    text_printf(text, "\t");
    if (mpz_sgn(line->n_messages) > 0 && r->length > 0) {
        sheet_line_symbol_price(price, line, r->elem_bytes, r->price_unit);
        fraction_print_exact(price, text);
    }
    mpq_clear(price);
}

/* What a line has, apart from its multiples of the vector. */
struct columns {
    bool is_sent; /* False for random vectors, which are no messages. */
    bool has_bytes, has_price;
};

static void print_random_bytes(const struct report *r, const struct sheet_line *line,
                               struct text *text)
{
    mpz_t bytes;

    mpz_init(bytes);
    sheet_line_random_bytes(bytes, line, r->elem_bytes);
    fraction_print_integer(bytes, text);
    mpz_clear(bytes);
}

static void print_line(const struct report *r, const struct sheet_line *line, struct columns has,
                       struct text *text)
{
    bool any = mpz_sgn(line->n_messages) > 0;

    print_number(line->times, text);
    text_printf(text, "\t");
    if (has.is_sent && any)
        fraction_print_integer(line->n_messages, text);
    text_printf(text, "\t");
    if (any && r->length > 0)
        fraction_print_integer(line->n_symbols, text);
    text_printf(text, "\t");
    if (any && has.has_bytes)
        fraction_print_integer(line->n_bytes, text);
    text_printf(text, "\t");
    if (any && r->length > 0 && !has.is_sent)
        print_random_bytes(r, line, text);
    print_seeds(r, line, text);
    print_price(r, has.has_price ? line : NULL, text);
    text_printf(text, "\n");
}

static void print_draws(const struct report *r, const struct report_row *row, struct text *text)
{
    const struct columns drawn = { 0 },
                         dealt = { .is_sent = true, .has_bytes = row->sheet.has_bytes };

    for (enum sheet_draws who = 0; who < N_DRAWS; who++)
        if (report_uses_draws(r, who)) {
            text_printf(text, "%s\t%s\t%s\tdrawn by %s", row->name, row->sets, row->against,
                        report_draws_name(who));
            print_line(r, &row->sheet.draws[who], drawn, text);
        }
    text_printf(text, "%s\t%s\t%s\tdrawn", row->name, row->sets, row->against);
    print_line(r, &row->sheet.drawn, drawn, text);
    text_printf(text, "%s\t%s\t%s\tdealt", row->name, row->sets, row->against);
    print_line(r, &row->sheet.dealt, dealt, text);
}

static void print_row(const struct report *r, const struct report_row *row, struct text *text)
{
    const struct columns sent = { true, row->sheet.has_bytes, report_has_price(r, row) };

    for (enum topology_link link = 0; link < N_LINKS && row->has_links; link++)
        if (report_uses_link(r, link)) {
            text_printf(text, "%s\t%s\t%s\t%s", row->name, row->sets, row->against,
                        plan_cost_link_name(link));
            print_line(r, &row->sheet.links[link], sent, text);
        }
    text_printf(text, "%s\t%s\t%s\ttotal", row->name, row->sets, row->against);
    print_line(r, &row->sheet.total, sent, text);
    if (row->has_draws)
        print_draws(r, row, text);
}

static void print_load(const struct report *r, enum loads_what what, struct text *text)
{
    const struct columns sent = { .is_sent = true, .has_bytes = r->record_type };
    const struct load *load = &r->loads.loads[what];

    if (!load->exists)
        return;
    for (int received = 0; received <= (what != LOAD_LINK); received++) {
        text_printf(text, "%s\t%s %u", loads_name(what), node_tier_name(load->node.tier),
                    load->node.number);
        if (what == LOAD_LINK)
            text_printf(text, " to %s %u", node_tier_name(load->to.tier), load->to.number);
        text_printf(text, "\t\t%s", received ? "received" : "sent");
        print_line(r, received ? &load->received : &load->sent, sent, text);
    }
}

static void print_value(const struct report *r, const struct report_value *v, const char *what,
                        const mpq_t q, struct text *text)
{
    text_printf(text, "%s\t%s\t\t%s", v->name, v->sets, what);
    print_number(q, text);
    text_printf(text, "\t\t\t\t");
    print_seeds(r, NULL, text);
    print_price(r, NULL, text);
    text_printf(text, "\n");
}

void report_print_tsv(const struct report *r, struct text *text)
{
    text_printf(text,
                "name\tsets\tagainst\twhat\ttimes\tdecimal\tmessages\tsymbols\tbytes\t"
                "random_bytes%s%s\n",
                report_has_seeds(r) ? "\tseeds" : "",
                r->price_unit > 0 ? "\tprice\tprice_decimal\tsymbol_price" : "");
    for (size_t i = 0; i < r->n_rows; i++)
        print_row(r, &r->rows[i], text);
    for (enum loads_what what = 0; r->loads.known && what < N_LOADS; what++)
        print_load(r, what, text);
    for (size_t i = 0; i < r->n_values; i++) {
        const struct report_value *v = &r->values[i];

        if (v->has_value)
            print_value(r, v, "value", v->value, text);
        if (v->has_range) {
            print_value(r, v, "least", v->low, text);
            print_value(r, v, "most", v->high, text);
        }
    }
}
