#include "cost/count/fraction.h"
#include "cost/report/report_print.h"

const char *report_draws_name(enum sheet_draws who)
{
    static const char *const names[N_DRAWS] = {
        [DRAWS_CLIENTS] = "clients",
        [DRAWS_STATIONS] = "stations",
        [DRAWS_RELAYS] = "relays",
        [DRAWS_DEALER] = "dealer",
    };

    return names[who];
}

bool report_uses_draws(const struct report *r, enum sheet_draws who)
{
    for (size_t i = 0; i < r->n_rows; i++)
        if (r->rows[i].has_draws && mpz_sgn(r->rows[i].sheet.draws[who].n_messages) > 0)
            return true;
    return false;
}

static bool has_draws(const struct report *r)
{
    for (size_t i = 0; i < r->n_rows; i++)
        if (r->rows[i].has_draws)
            return true;
    return false;
}

static void print_row(const struct report *r, const struct report_row *row, struct text *text)
{
    const struct sheet *sheet = &row->sheet;
    mpz_t bytes;

    text_printf(text, "%s\t%s\t%s", row->name, row->sets, row->against);
    for (enum sheet_draws who = 0; who < N_DRAWS; who++)
        if (report_uses_draws(r, who)) {
            text_printf(text, "\t");
            fraction_print_short(sheet->draws[who].times, text);
        }
    text_printf(text, "\t");
    fraction_print(sheet->drawn.times, text);
    text_printf(text, "\t");
    fraction_print(sheet->dealt.times, text);
    if (report_has_seeds(r)) {
        text_printf(text, "\t");
        fraction_print_integer(sheet->drawn.n_seeds, text);
    }
    if (r->length > 0) {
        mpz_init(bytes);
        sheet_line_random_bytes(bytes, &sheet->drawn, r->elem_bytes);
        text_printf(text, "\t");
        fraction_print_integer(sheet->drawn.n_symbols, text);
        text_printf(text, "\t");
        fraction_print_integer(bytes, text);
        mpz_clear(bytes);
    }
    text_printf(text, "\n");
}

void report_print_draws(const struct report *r, struct text *text)
{
    static const char *const headings[N_DRAWS] = {
        [DRAWS_CLIENTS] = "CLIENTS",
        [DRAWS_STATIONS] = "STATIONS",
        [DRAWS_RELAYS] = "RELAYS",
        [DRAWS_DEALER] = "DEALER",
    };

    if (!has_draws(r))
        return;
    text_printf(text, "RANDOMNESS\tSETS\tAGAINST");
    for (enum sheet_draws who = 0; who < N_DRAWS; who++)
        if (report_uses_draws(r, who))
            text_printf(text, "\t%s", headings[who]);
    text_printf(text, "\tDRAWN\tDEALT%s%s\n", report_has_seeds(r) ? "\tSEEDS" : "",
                r->length > 0 ? "\tSYMBOLS\tRANDOM BYTES" : "");
    for (size_t i = 0; i < r->n_rows; i++)
        if (r->rows[i].has_draws)
            print_row(r, &r->rows[i], text);
}
