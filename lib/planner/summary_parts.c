#include "planner/summary_parts.h"

#include <stdio.h>

#include "cost/count/fraction.h"
#include "protocol/protocol.h"

/* "1 symbol" */
static void print_symbols(const mpz_t n, struct text *text)
{
    fraction_print_integer(n, text);
    text_printf(text, " symbol%s", mpz_cmp_ui(n, 1) == 0 ? "" : "s");
}

/* "7829/153 = 51.170", and the symbols if the length is known. */
static void print_amount(const mpq_t times, const mpz_t n_symbols, struct text *text)
{
    fraction_print(times, text);
    if (mpz_sgn(n_symbols) == 0)
        return;
    text_printf(text, " (");
    print_symbols(n_symbols, text);
    text_printf(text, ")");
}

/* Prints how much more a plan with scheme ramp costs. With a length symbols count: shares have more
 * parts than with ramp, so if vectors are short, more of them is padding. */
static void print_saved(const struct plan *p, const struct plan_cost *cost,
                        const struct plan_cost *ramp, struct text *text)
{
    mpz_t n_symbols;
    mpq_t times;

    mpz_init(n_symbols);
    mpq_init(times);
    mpq_sub(times, ramp->total, cost->total);
    mpz_sub(n_symbols, ramp->n_symbols, cost->n_symbols);
    text_printf(text, "\nif no station or relay is missing, scheme %s ", p->topology.scheme);
    if (p->topology.length == 0 || mpz_sgn(n_symbols) > 0) {
        text_printf(text, "saves ");
        print_amount(times, n_symbols, text);
    } else if (mpz_sgn(n_symbols) == 0) {
        text_printf(text, "saves no symbols, because the vectors are short");
    } else {
        mpz_neg(n_symbols, n_symbols);
        text_printf(text, "costs ");
        print_symbols(n_symbols, text);
        text_printf(text, " more than ramp, because the vectors are short");
    }
    text_printf(text, ": with scheme ramp the same sets cost ");
    print_amount(ramp->total, ramp->n_symbols, text);
    mpz_clear(n_symbols);
    mpq_clear(times);
}

static int print_ramp(const struct plan *p, const struct plan_cost *cost, struct text *text,
                      struct hagg_err *err)
{
    struct plan other = *p;
    struct plan_cost ramp;
    int status;

    other.scheme = scheme_open("ramp", err);
    if (!other.scheme)
        return -1;
    snprintf(other.topology.scheme, sizeof other.topology.scheme, "ramp");
    status = plan_cost_new(&ramp, &other, false, err);
    if (status == 0) {
        print_saved(p, cost, &ramp, text);
        plan_cost_free(&ramp);
    }
    scheme_free(other.scheme);
    return status;
}

static int print_worst(const struct plan *p, struct text *text, struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct sheet sheet;
    int status;

    sheet_init(&sheet);
    status = sheet_add_worst(&sheet, p, t->length > 0 ? t->length + t->samples : 0, err);
    sheet_close(&sheet);
    if (status == 0) {
        text_printf(text, "\nif as many fail as the drop line allows, one after the other, a round "
                          "costs at most ");
        print_amount(sheet.total.times, sheet.total.n_symbols, text);
    }
    sheet_clear(&sheet);
    return status;
}

static int print_stand_by(const struct plan *p, const struct plan_cost *cost, struct text *text,
                          struct hagg_err *err)
{
    const struct topology *t = &p->topology;
    struct sheet sheet;
    int status;

    sheet_init(&sheet);
    status = sheet_add_stand_by(&sheet, p, t->length > 0 ? t->length + t->samples : 0, err);
    sheet_close(&sheet);
    if (status == 0) {
        mpq_sub(sheet.total.times, cost->total, sheet.total.times);
        mpz_sub(sheet.total.n_symbols, cost->n_symbols, sheet.total.n_symbols);
        text_printf(text, "\nif no station is missing, stand-by sums save ");
        print_amount(sheet.total.times, sheet.total.n_symbols, text);
        text_printf(text, ", but then no wrong sum is detected: hagg-round --stand-by");
    }
    sheet_clear(&sheet);
    return status;
}

int summary_parts_print(const struct plan *p, const struct plan_cost *cost, struct text *text,
                        struct hagg_err *err)
{
    if (protocol_has_stand_by(p))
        return print_stand_by(p, cost, text, err);
    if (!cost->in_part)
        return 0;
    return print_ramp(p, cost, text, err) ? -1 : print_worst(p, text, err);
}
