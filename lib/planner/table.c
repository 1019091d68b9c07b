#include "planner/table.h"

#include <string.h>

#include "cost/count/fraction.h"
#include "cost/report/align.h"

/* Without the name of the file, which is in every line. */
static void print_reason(const struct hagg_err *why, const char *name, struct text *text)
{
    const char *reason = why->text;
    size_t n = strlen(name);

    if (strncmp(reason, name, n) == 0 && strncmp(reason + n, ": ", 2) == 0)
        reason += n + 2;
    else if (strncmp(reason, name, n) == 0 && reason[n] == ':') {
        reason += n + 1;
        text_printf(text, "line ");
    }
    text_printf(text, "%s", reason);
}

static void print_ratio(const mpq_t cost, const mpq_t bound, struct text *text)
{
    mpq_t ratio;

    if (mpq_sgn(bound) == 0) {
        text_printf(text, "-");
        return;
    }
    mpq_init(ratio);
    mpq_div(ratio, cost, bound);
    fraction_print_decimal(ratio, text);
    mpq_clear(ratio);
}

static void print_cost(const struct planner_attempt *a, bool symbols, struct text *text)
{
    const struct plan_cost *cost = &a->cost;

    if (a->outcome == PLANNER_AT_LEAST)
        text_printf(text, "at least ");
    fraction_print(cost->total, text);
    text_printf(text, "\t");
    if (symbols) {
        fraction_print_integer(cost->n_symbols, text);
        text_printf(text, "\t");
    }
    if (cost->has_prices) {
        if (a->outcome == PLANNER_AT_LEAST)
            text_printf(text, "at least ");
        fraction_print(symbols ? cost->symbol_price : cost->price, text);
        text_printf(text, "\t");
        print_ratio(cost->price, cost->price_bound, text);
    } else
        print_ratio(cost->total, cost->bound, text);
}

void table_print(const struct planner_result *result, const struct plan *p, struct text *text)
{
    bool symbols = p->topology.length > 0, price = p->topology.prices.unit > 0;
    struct text lines = { 0 };

    text_printf(&lines, "protocol\tcost\t%s%sratio\n", symbols ? "symbols\t" : "",
                price ? "price\t" : "");
    for (size_t i = 0; i < result->n_attempts; i++) {
        const struct planner_attempt *a = &result->attempts[i];

        text_printf(&lines, "%s\t", a->name);
        if (a->outcome != PLANNER_NOT_POSSIBLE)
            print_cost(a, symbols, &lines);
        else {
            text_printf(&lines, "-\t%s%s-\tnot used: ", symbols ? "-\t" : "", price ? "-\t" : "");
            print_reason(&a->why, p->name, &lines);
        }
        if (a->outcome == PLANNER_AT_LEAST)
            text_printf(&lines, "\tnot searched: cannot cost less");
        else if (a->n_computational > result->attempts[result->chosen].n_computational)
            text_printf(&lines, "\tnot used: computational privacy for %llu of %zu clients",
                        (unsigned long long)a->n_computational, p->topology.n_clients);
        text_printf(&lines, "%s\n", i == result->chosen ? "\tchosen" : "");
    }
    text->failed = text->failed || !text_ok(&lines);
    if (text_ok(text))
        align_columns(text, lines.bytes);
    text_free(&lines);
}
