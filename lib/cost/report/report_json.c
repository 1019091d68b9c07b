#include "cost/count/fraction.h"
#include "cost/count/plan_cost.h"
#include "cost/report/report_print.h"

/* Writes the text with put and frees it. */
static void put_text(struct json *j, const char *name, struct text *text,
                     void (*put)(struct json *, const char *, const char *))
{
    if (text_ok(text))
        put(j, name, text->bytes);
    else
        j->text->failed = true;
    text_free(text);
}

static void put_fraction(struct json *j, const char *name, const mpq_t q)
{
    struct text text = { 0 };

    fraction_print_exact(q, &text);
    put_text(j, name, &text, json_string);
}

static void put_integer(struct json *j, const char *name, const mpz_t z)
{
    struct text text = { 0 };

    fraction_print_integer(z, &text);
    put_text(j, name, &text, json_number);
}

static void put_times(struct json *j, const mpq_t q)
{
    struct text text = { 0 };

    put_fraction(j, "times", q);
    fraction_print_digits(q, &text);
    put_text(j, "decimal", &text, json_number);
}

static void put_price(struct json *j, const struct report *r, const struct sheet_line *line)
{
    struct text text = { 0 };
    mpq_t price;

    mpq_init(price);
    sheet_line_price(price, line, r->price_unit);
    put_fraction(j, "price", price);
    fraction_print_digits(price, &text);
    put_text(j, "price_decimal", &text, json_number);
    if (mpz_sgn(line->n_messages) > 0 && r->length > 0) {
        sheet_line_symbol_price(price, line, r->elem_bytes, r->price_unit);
        put_fraction(j, "symbol_price", price);
    }
    mpq_clear(price);
}

/* What a line has, apart from its multiples of the vector. */
struct members {
    bool is_sent; /* False for random vectors, which are no messages. */
    bool has_bytes, has_price;
};

static void put_symbols(struct json *j, const struct report *r, const struct sheet_line *line)
{
    mpq_t filling;

    mpq_init(filling);
    report_filling(filling, r, line);
    put_integer(j, "symbols", line->n_symbols);
    put_fraction(j, "filling", filling);
    mpq_clear(filling);
}

static void put_random_bytes(struct json *j, const struct report *r, const struct sheet_line *line)
{
    mpz_t bytes;

    mpz_init(bytes);
    sheet_line_random_bytes(bytes, line, r->elem_bytes);
    put_integer(j, "random_bytes", bytes);
    mpz_clear(bytes);
}

static void put_line(struct json *j, const char *name, const struct report *r,
                     const struct sheet_line *line, struct members has)
{
    bool any = mpz_sgn(line->n_messages) > 0;

    json_open(j, name, '{');
    put_times(j, line->times);
    if (has.is_sent && any)
        put_integer(j, "messages", line->n_messages);
    if (any && r->length > 0)
        put_symbols(j, r, line);
    if (any && has.has_bytes)
        put_integer(j, "bytes", line->n_bytes);
    if (any && r->length > 0 && !has.is_sent)
        put_random_bytes(j, r, line);
    if (any && report_has_seeds(r))
        put_integer(j, "seeds", line->n_seeds);
    if (has.has_price)
        put_price(j, r, line);
    json_close(j, '}');
}

static void put_draws(struct json *j, const struct report *r, const struct sheet *sheet)
{
    const struct members drawn = { 0 }, dealt = { .is_sent = true, .has_bytes = sheet->has_bytes };

    json_open(j, "drawn", '{');
    for (enum sheet_draws who = 0; who < N_DRAWS; who++)
        if (report_uses_draws(r, who))
            put_line(j, report_draws_name(who), r, &sheet->draws[who], drawn);
    put_line(j, "total", r, &sheet->drawn, drawn);
    json_close(j, '}');
    put_line(j, "dealt", r, &sheet->dealt, dealt);
}

static void put_row(struct json *j, const struct report *r, const struct report_row *row)
{
    const struct members sent = { true, row->sheet.has_bytes, report_has_price(r, row) };

    json_open(j, NULL, '{');
    json_string(j, "name", row->name);
    json_string(j, "sets", row->sets);
    json_string(j, "against", row->against);
    put_line(j, "total", r, &row->sheet.total, sent);
    if (row->has_links) {
        json_open(j, "links", '{');
        for (enum topology_link link = 0; link < N_LINKS; link++)
            if (report_uses_link(r, link))
                put_line(j, plan_cost_link_name(link), r, &row->sheet.links[link], sent);
        json_close(j, '}');
    }
    if (row->has_draws)
        put_draws(j, r, &row->sheet);
    json_close(j, '}');
}

static void put_node(struct json *j, const char *name, struct node node)
{
    json_open(j, name, '{');
    json_string(j, "tier", node_tier_name(node.tier));
    json_uint(j, "number", node.number);
    json_close(j, '}');
}

static void put_loads(struct json *j, const struct report *r)
{
    const struct members sent = { .is_sent = true, .has_bytes = r->record_type };

    json_open(j, "loads", '[');
    for (enum loads_what what = 0; what < N_LOADS; what++) {
        const struct load *load = &r->loads.loads[what];

        if (!load->exists)
            continue;
        json_open(j, NULL, '{');
        json_string(j, "name", loads_name(what));
        put_node(j, what == LOAD_LINK ? "from" : "node", load->node);
        if (what == LOAD_LINK)
            put_node(j, "to", load->to);
        put_line(j, "sent", r, &load->sent, sent);
        if (what != LOAD_LINK)
            put_line(j, "received", r, &load->received, sent);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_value(struct json *j, const struct report_value *v)
{
    json_open(j, NULL, '{');
    json_string(j, "name", v->name);
    json_string(j, "sets", v->sets);
    if (v->has_value)
        put_fraction(j, "value", v->value);
    if (v->has_range) {
        put_fraction(j, "least", v->low);
        put_fraction(j, "most", v->high);
    }
    json_close(j, '}');
}

/* What the records show whose bytes are counted. */
static void put_records(struct json *j, const struct report *r)
{
    if (!report_has_bytes(r))
        return;
    json_open(j, "records", '{');
    json_uint(j, "round", r->records.round);
    json_string(j, "type", r->record_type);
    json_open(j, "shape", '[');
    for (size_t i = 0; i < report_n_shape(r); i++)
        json_uint(j, NULL, report_dimension(r, i));
    json_close(j, ']');
    json_close(j, '}');
}

void report_print_json(const struct report *r, struct json *j)
{
    json_string(j, "network", r->title);
    json_uint(j, "clients", r->n_clients);
    if (r->length > 0)
        json_uint(j, "length", r->length);
    json_uint(j, "symbol_bytes", r->elem_bytes);
    put_records(j, r);
    json_open(j, "protocols", '[');
    for (size_t i = 0; i < r->n_rows; i++)
        put_row(j, r, &r->rows[i]);
    json_close(j, ']');
    if (r->loads.known)
        put_loads(j, r);
    json_open(j, "parameters", '[');
    for (size_t i = 0; i < r->n_values; i++)
        put_value(j, &r->values[i]);
    json_close(j, ']');
}
