#include "cost/measure/measure_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cost/count/fraction.h"

/* There is one federator. */
static void put_node(struct text *t, const struct header_node *node)
{
    if (!node->tier[0])
        text_printf(t, "an unknown sender");
    else if (strcmp(node->tier, "federator") == 0 && node->number == 1)
        text_printf(t, "%s", node->tier);
    else
        text_printf(t, "%s %u", node->tier, node->number);
}

static void put_symbols(struct text *t, uint64_t n)
{
    text_printf(t, "%" PRIu64 " symbol%s", n, n == 1 ? "" : "s");
}

/* "12 symbols", "3 seeds" or "12 symbols and 3 seeds" */
static void put_amount(struct text *t, const struct measure_count *c)
{
    if (c->n_symbols > 0 || c->n_seeds == 0)
        put_symbols(t, c->n_symbols);
    if (c->n_seeds > 0)
        text_printf(t, "%s%" PRIu64 " seed%s", c->n_symbols > 0 ? " and " : "", c->n_seeds,
                    c->n_seeds == 1 ? "" : "s");
}

void measure_report_difference(struct text *t, const struct measure_difference *d)
{
    bool seeds = d->sent.n_seeds > 0 || d->predicted.n_seeds > 0;
    const char *what = flow_what_name(d->what);

    put_node(t, &d->from);
    text_printf(t, " to ");
    put_node(t, &d->to);
    text_printf(t, ": ");
    if (d->sent.n_records == 0) {
        text_printf(t, "no %s were sent, predicted ", what);
        put_amount(t, &d->predicted);
    } else if (d->sent.n_symbols == d->predicted.n_symbols &&
               d->sent.n_seeds == d->predicted.n_seeds &&
               d->sent.n_records == d->predicted.n_records) {
        text_printf(t, "%" PRIu64 " bytes of %s, predicted %" PRIu64, d->sent.n_bytes, what,
                    d->predicted.n_bytes);
    } else if (d->sent.n_symbols == d->predicted.n_symbols &&
               d->sent.n_seeds == d->predicted.n_seeds && d->predicted.n_records > 0) {
        text_printf(t, "%" PRIu64 " records of %s, predicted %" PRIu64, d->sent.n_records, what,
                    d->predicted.n_records);
    } else {
        put_amount(t, &d->sent);
        text_printf(t, " of %s, predicted ", what);
        if (d->predicted.n_records > 0 && seeds)
            put_amount(t, &d->predicted);
        else if (d->predicted.n_records > 0)
            text_printf(t, "%" PRIu64, d->predicted.n_symbols);
        else
            text_printf(t, "none");
    }
}

static const char *tier_name(const char *tier)
{
    return tier[0] ? tier : "unknown";
}

/* Seeds are printed only if there are any, or should be. */
static bool has_seeds(const struct measure_result *result)
{
    return result->sent.n_seeds > 0 || result->predicted.n_seeds > 0;
}

/* The price of a count, as a fraction. */
static void price_of(mpq_t price, const struct measure_result *result,
                     const struct measure_count *c)
{
    mpz_import(mpq_numref(price), 1, 1, sizeof c->price, 0, 0, &c->price);
    fraction_set_integer(mpq_denref(price), result->price_unit);
    mpq_canonicalize(price);
}

/* Prints it after the separator: exactly for programs, otherwise short. */
static void put_price(struct text *t, const struct measure_result *result,
                      const struct measure_count *c, bool exact)
{
    struct text digits = { 0 };
    mpq_t price;

    mpq_init(price);
    price_of(price, result, c);
    (exact ? fraction_print_exact : fraction_print_short)(price, &digits);
    t->failed = t->failed || !text_ok(&digits);
    if (text_ok(&digits))
        text_printf(t, exact ? "\t%s" : " %16s", digits.bytes);
    text_free(&digits);
    mpq_clear(price);
}

static void put_line(struct text *t, const struct measure_result *result, const char *link,
                     const char *what, const struct measure_count *sent,
                     const struct measure_count *predicted)
{
    text_printf(t, "%-24s %-9s %10" PRIu64 " %14" PRIu64, link, what, sent->n_records,
                sent->n_symbols);
    if (result->has_plan)
        text_printf(t, " %14" PRIu64, predicted->n_symbols);
    if (has_seeds(result))
        text_printf(t, " %10" PRIu64, sent->n_seeds);
    if (has_seeds(result) && result->has_plan)
        text_printf(t, " %10" PRIu64, predicted->n_seeds);
    text_printf(t, " %14" PRIu64, sent->n_bytes);
    if (result->has_plan)
        text_printf(t, " %14" PRIu64, predicted->n_bytes);
    if (result->price_unit > 0) {
        put_price(t, result, sent, false);
        put_price(t, result, predicted, false);
    }
    text_printf(t, "\n");
}

static void put_heading(struct text *t, const struct measure_result *result)
{
    text_printf(t, "%-24s %-9s %10s %14s", "LINK", "CARRIES", "RECORDS", "SYMBOLS");
    if (result->has_plan)
        text_printf(t, " %14s", "PREDICTED");
    if (has_seeds(result))
        text_printf(t, " %10s", "SEEDS");
    if (has_seeds(result) && result->has_plan)
        text_printf(t, " %10s", "PREDICTED");
    text_printf(t, " %14s", "BYTES");
    if (result->has_plan)
        text_printf(t, " %14s", "PREDICTED");
    if (result->price_unit > 0)
        text_printf(t, " %16s %16s", "SYMBOL PRICE", "PREDICTED PRICE");
    text_printf(t, "\n");
}

static void put_not_counted(struct text *t, uint64_t n, const char *one, const char *many)
{
    if (n > 0)
        text_printf(t, "%" PRIu64 " %s\n", n, n == 1 ? one : many);
}

void measure_report_table(struct text *t, const struct measure_result *result)
{
    char link[2 * LIMIT_TIER + sizeof "unknown to "];

    put_heading(t, result);
    for (size_t i = 0; i < result->n_rows; i++) {
        const struct measure_row *row = &result->rows[i];

        snprintf(link, sizeof link, "%s to %s", tier_name(row->from), row->to);
        put_line(t, result, link, flow_what_name(row->what), &row->sent, &row->predicted);
    }
    put_line(t, result, "in all", "", &result->sent, &result->predicted);
    put_not_counted(t, result->left_out.n_records,
                    "record of clients outside --clients was not counted",
                    "records of clients outside --clients were not counted");
    put_not_counted(t, result->n_kept, "record that is not sent to another node was not counted",
                    "records that are not sent to another node were not counted");
    put_not_counted(t, result->n_rosters,
                    "report or roster, which contains no vector, was not counted",
                    "reports and rosters, which contain no vectors, were not counted");
    put_not_counted(t, result->n_duplicates, "duplicate record was counted once",
                    "duplicate records were counted once");
    put_not_counted(t, result->n_other_files, "file without records was skipped",
                    "files without records were skipped");
    for (size_t i = 0; i < result->n_differences; i++) {
        measure_report_difference(t, &result->differences[i]);
        text_printf(t, "\n");
    }
}

void measure_report_tsv(struct text *t, const struct measure_result *result)
{
    text_printf(t, "from\tto\tcarries\trecords\tsymbols\t%sbytes%s%s%s\n",
                result->has_plan ? "predicted_symbols\t" : "",
                result->has_plan ? "\tpredicted_bytes" : "",
                !has_seeds(result) ? ""
                : result->has_plan ? "\tseeds\tpredicted_seeds"
                                   : "\tseeds",
                result->price_unit > 0 ? "\tsymbol_price\tpredicted_symbol_price" : "");
    for (size_t i = 0; i < result->n_rows; i++) {
        const struct measure_row *row = &result->rows[i];

        text_printf(t, "%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t", tier_name(row->from), row->to,
                    flow_what_name(row->what), row->sent.n_records, row->sent.n_symbols);
        if (result->has_plan)
            text_printf(t, "%" PRIu64 "\t", row->predicted.n_symbols);
        text_printf(t, "%" PRIu64, row->sent.n_bytes);
        if (result->has_plan)
            text_printf(t, "\t%" PRIu64, row->predicted.n_bytes);
        if (has_seeds(result))
            text_printf(t, "\t%" PRIu64, row->sent.n_seeds);
        if (has_seeds(result) && result->has_plan)
            text_printf(t, "\t%" PRIu64, row->predicted.n_seeds);
        if (result->price_unit > 0) {
            put_price(t, result, &row->sent, true);
            put_price(t, result, &row->predicted, true);
        }
        text_printf(t, "\n");
    }
}

static void json_price(struct json *j, const char *name, const struct measure_result *result,
                       const struct measure_count *c)
{
    struct text digits = { 0 };
    mpq_t price;

    mpq_init(price);
    price_of(price, result, c);
    fraction_print_exact(price, &digits);
    j->text->failed = j->text->failed || !text_ok(&digits);
    json_string(j, name, text_ok(&digits) ? digits.bytes : "");
    text_free(&digits);
    mpq_clear(price);
}

/* predicted is NULL if nothing was predicted. */
static void json_counts(struct json *j, const struct measure_result *result,
                        const struct measure_count *sent, const struct measure_count *predicted)
{
    const bool seeds = has_seeds(result);

    json_uint(j, "records", sent->n_records);
    json_uint(j, "symbols", sent->n_symbols);
    json_uint(j, "bytes", sent->n_bytes);
    if (predicted) {
        json_uint(j, "predicted_records", predicted->n_records);
        json_uint(j, "predicted_symbols", predicted->n_symbols);
        json_uint(j, "predicted_bytes", predicted->n_bytes);
    }
    if (seeds)
        json_uint(j, "seeds", sent->n_seeds);
    if (seeds && predicted)
        json_uint(j, "predicted_seeds", predicted->n_seeds);
    if (result->price_unit > 0 && predicted) {
        json_price(j, "symbol_price", result, sent);
        json_price(j, "predicted_symbol_price", result, predicted);
    }
}

static void json_node(struct json *j, const char *name, const struct header_node *node)
{
    json_open(j, name, '[');
    json_string(j, NULL, tier_name(node->tier));
    json_uint(j, NULL, node->number);
    json_close(j, ']');
}

static void json_differences(struct json *j, const struct measure_result *result)
{
    json_open(j, "differences", '[');
    for (size_t i = 0; i < result->n_differences; i++) {
        const struct measure_difference *d = &result->differences[i];

        json_open(j, NULL, '{');
        json_node(j, "from", &d->from);
        json_node(j, "to", &d->to);
        json_string(j, "carries", flow_what_name(d->what));
        json_counts(j, result, &d->sent, &d->predicted);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void measure_report_json(struct text *t, const struct measure_result *result)
{
    struct json j = { .text = t };

    json_open(&j, NULL, '{');
    json_open(&j, "links", '[');
    for (size_t i = 0; i < result->n_rows; i++) {
        const struct measure_row *row = &result->rows[i];

        json_open(&j, NULL, '{');
        json_string(&j, "from", tier_name(row->from));
        json_string(&j, "to", row->to);
        json_string(&j, "carries", flow_what_name(row->what));
        json_counts(&j, result, &row->sent, result->has_plan ? &row->predicted : NULL);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_open(&j, "in_all", '{');
    json_counts(&j, result, &result->sent, result->has_plan ? &result->predicted : NULL);
    json_close(&j, '}');
    if (result->has_plan) {
        json_uint(&j, "length", result->length);
        json_differences(&j, result);
    }
    json_open(&j, "left_out", '{');
    json_counts(&j, result, &result->left_out, NULL);
    json_close(&j, '}');
    json_uint(&j, "not_sent", result->n_kept);
    json_uint(&j, "rosters", result->n_rosters);
    json_uint(&j, "met_twice", result->n_duplicates);
    json_uint(&j, "files", result->n_files);
    json_uint(&j, "other_files", result->n_other_files);
    json_close(&j, '}');
    text_printf(t, "\n");
}
