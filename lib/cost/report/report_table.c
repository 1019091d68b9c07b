#include <string.h>

#include "cost/report/align.h"
#include "cost/count/fraction.h"
#include "cost/count/plan_cost.h"
#include "cost/report/report_print.h"

void report_filling(mpq_t filling, const struct report *r, const struct sheet_line *line)
{
    mpq_t ideal;

    mpq_init(ideal);
    fraction_set_integer(mpq_numref(ideal), r->length);
    mpq_mul(ideal, ideal, line->times);
    mpq_set_z(filling, line->n_symbols);
    mpq_sub(filling, filling, ideal);
    mpq_clear(ideal);
}

bool report_uses_link(const struct report *r, enum topology_link link)
{
    for (size_t i = 0; i < r->n_rows; i++)
        if (mpz_sgn(r->rows[i].sheet.links[link].n_messages) > 0)
            return true;
    return false;
}

bool report_has_seeds(const struct report *r)
{
    for (size_t i = 0; i < r->n_rows; i++)
        if (mpz_sgn(r->rows[i].sheet.total.n_seeds) > 0 ||
            mpz_sgn(r->rows[i].sheet.drawn.n_seeds) > 0)
            return true;
    return false;
}

bool report_has_bytes(const struct report *r)
{
    for (size_t i = 0; i < r->n_rows; i++)
        if (r->rows[i].sheet.has_bytes)
            return true;
    return false;
}

size_t report_n_shape(const struct report *r)
{
    return r->records.shape ? r->records.n_shape : 1;
}

uint64_t report_dimension(const struct report *r, size_t i)
{
    return r->records.shape ? r->records.shape[i] : r->length - r->samples;
}

/* known: false for other protocols, whose messages are not listed. */
static void print_seeds(const struct report *r, const struct sheet_line *line, bool known,
                        struct text *text)
{
    if (!report_has_seeds(r))
        return;
    text_printf(text, "\t");
    if (known)
        fraction_print_integer(line->n_seeds, text);
}

static void print_amounts(const struct report *r, const struct sheet_line *line, bool has_bytes,
                          struct text *text)
{
    mpq_t filling;

    mpq_init(filling);
    report_filling(filling, r, line);
    text_printf(text, "\t");
    fraction_print_integer(line->n_symbols, text);
    text_printf(text, "\t");
    fraction_print_short(filling, text);
    if (report_has_bytes(r))
        text_printf(text, "\t");
    if (has_bytes)
        fraction_print_integer(line->n_bytes, text);
    mpq_clear(filling);
}

/* The price, and what it is of the price of the bound. */
static void print_price(const struct report *r, const struct report_row *row, struct text *text)
{
    mpq_t price;

    if (r->price_unit == 0)
        return;
    if (!report_has_price(r, row)) {
        text_printf(text, "\t\t");
        return;
    }
    mpq_init(price);
    sheet_line_price(price, &row->sheet.total, r->price_unit);
    text_printf(text, "\t");
    fraction_print(price, text);
    text_printf(text, "\t");
    if (mpq_sgn(r->price_bound) > 0) {
        mpq_div(price, price, r->price_bound);
        fraction_print_decimal(price, text);
    }
    mpq_clear(price);
}

static void print_symbol_price(const struct report *r, const struct sheet_line *line,
                               struct text *text)
{
    mpq_t price;

    if (r->price_unit == 0)
        return;
    mpq_init(price);
    sheet_line_symbol_price(price, line, r->elem_bytes, r->price_unit);
    text_printf(text, "\t");
    fraction_print_short(price, text);
    mpq_clear(price);
}

static void print_row(const struct report *r, const struct report_row *row, struct text *text)
{
    mpq_t ratio;

    text_printf(text, "%s\t%s\t%s", row->name, row->sets, row->against);
    for (enum topology_link link = 0; link < N_LINKS; link++)
        if (report_uses_link(r, link)) {
            text_printf(text, "\t");
            if (row->has_links)
                fraction_print_short(row->sheet.links[link].times, text);
        }
    text_printf(text, "\t");
    fraction_print(row->sheet.total.times, text);
    text_printf(text, "\t");
    if (mpq_sgn(r->bound) > 0 && row->has_bound) {
        mpq_init(ratio);
        mpq_div(ratio, row->sheet.total.times, r->bound);
        fraction_print_decimal(ratio, text);
        mpq_clear(ratio);
    }
    print_price(r, row, text);
    if (mpz_sgn(row->sheet.total.n_messages) > 0) {
        print_seeds(r, &row->sheet.total, row->has_links, text);
        if (r->length > 0)
            print_amounts(r, &row->sheet.total, row->sheet.has_bytes, text);
        if (r->length > 0 && report_has_price(r, row))
            print_symbol_price(r, &row->sheet.total, text);
    }
    text_printf(text, "\n");
}

static void print_rows(const struct report *r, struct text *text)
{
    static const char *const headings[N_LINKS] = {
        [LINK_CLIENT_STATION] = "CLIENT-STATION",       [LINK_STATION_STATION] = "STATION-STATION",
        [LINK_STATION_RELAY] = "STATION-RELAY",         [LINK_RELAY_RELAY] = "RELAY-RELAY",
        [LINK_STATION_FEDERATOR] = "STATION-FEDERATOR", [LINK_RELAY_FEDERATOR] = "RELAY-FEDERATOR",
    };

    text_printf(text, "PROTOCOL\tSETS\tAGAINST");
    for (enum topology_link link = 0; link < N_LINKS; link++)
        if (report_uses_link(r, link))
            text_printf(text, "\t%s", headings[link]);
    text_printf(text, "\tTOTAL\tOF BOUND%s%s%s%s%s\n",
                r->price_unit > 0 ? "\tPRICE\tOF PRICE BOUND" : "",
                report_has_seeds(r) ? "\tSEEDS" : "", r->length > 0 ? "\tSYMBOLS\tFILLING" : "",
                report_has_bytes(r) ? "\tBYTES" : "",
                r->length > 0 && r->price_unit > 0 ? "\tSYMBOL PRICE" : "");
    for (size_t i = 0; i < r->n_rows; i++)
        print_row(r, &r->rows[i], text);
}

/* The plan, link by link. Without a length its row above already has everything. */
static void print_links(const struct report *r, struct text *text)
{
    const struct report_row *plan = r->n_rows > 0 ? &r->rows[0] : NULL;

    if (!plan || strcmp(plan->name, "plan") != 0 || r->length == 0)
        return;
    text_printf(text, "LINK\tMESSAGES\tTIMES%s\tSYMBOLS\tFILLING%s%s\n",
                report_has_seeds(r) ? "\tSEEDS" : "", report_has_bytes(r) ? "\tBYTES" : "",
                r->price_unit > 0 ? "\tSYMBOL PRICE" : "");
    for (enum topology_link link = 0; link <= N_LINKS; link++) {
        const struct sheet_line *line =
            link < N_LINKS ? &plan->sheet.links[link] : &plan->sheet.total;

        if (mpz_sgn(line->n_messages) == 0)
            continue;
        text_printf(text, "%s\t", link < N_LINKS ? plan_cost_link_name(link) : "total");
        fraction_print_integer(line->n_messages, text);
        text_printf(text, "\t");
        fraction_print(line->times, text);
        print_seeds(r, line, true, text);
        print_amounts(r, line, plan->sheet.has_bytes, text);
        print_symbol_price(r, line, text);
        text_printf(text, "\n");
    }
}

static void print_loads(const struct report *r, struct text *text)
{
    if (!r->loads.known)
        return;
    text_printf(text, "LOAD\tOF\tSENDS\tRECEIVES\n");
    for (enum loads_what what = 0; what < N_LOADS; what++) {
        const struct load *load = &r->loads.loads[what];

        if (!load->exists)
            continue;
        text_printf(text, "%s\t%s", loads_name(what), node_tier_name(load->node.tier));
        if (load->node.tier != NODE_FEDERATOR)
            text_printf(text, " %u", load->node.number);
        if (what == LOAD_LINK) {
            text_printf(text, " to %s", node_tier_name(load->to.tier));
            if (load->to.tier != NODE_FEDERATOR)
                text_printf(text, " %u", load->to.number);
        }
        text_printf(text, "\t");
        fraction_print(load->sent.times, text);
        text_printf(text, "\t");
        if (what != LOAD_LINK)
            fraction_print(load->received.times, text);
        text_printf(text, "\n");
    }
}

static void print_values(const struct report *r, struct text *text)
{
    if (r->n_values == 0)
        return;
    text_printf(text, "PARAMETER\tSETS\tVALUE\tFROM\tTO\n");
    for (size_t i = 0; i < r->n_values; i++) {
        const struct report_value *v = &r->values[i];

        text_printf(text, "%s\t%s\t", v->name, v->sets);
        if (v->has_value)
            fraction_print(v->value, text);
        text_printf(text, "\t");
        if (v->has_range) {
            fraction_print(v->low, text);
            text_printf(text, "\t");
            fraction_print(v->high, text);
        }
        text_printf(text, "\n");
    }
}

/* What the records show whose bytes are counted. */
static void print_records(const struct report *r, struct text *text)
{
    if (!report_has_bytes(r))
        return;
    text_printf(text, "bytes of records in round %llu, of vectors of type %s and shape (",
                (unsigned long long)r->records.round, r->record_type);
    for (size_t i = 0; i < report_n_shape(r); i++)
        text_printf(text, "%s%llu", i > 0 ? ", " : "", (unsigned long long)report_dimension(r, i));
    text_printf(text, ")\n");
}

void report_print_table(const struct report *r, struct text *text)
{
    void (*const parts[])(const struct report *, struct text *) = { print_rows, print_links,
                                                                    print_loads, report_print_draws,
                                                                    print_values };
    struct text lines = { 0 };

    text_printf(text, "%s\n", r->title);
    print_records(r, text);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_reset(&lines);
        parts[i](r, &lines);
        if (lines.len == 0)
            continue;
        text_printf(text, "\n");
        align_columns(text, lines.bytes);
    }
    text->failed = text->failed || !text_ok(&lines);
    text_free(&lines);
}
