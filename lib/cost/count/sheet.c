#include "cost/count/sheet.h"

#include "cost/count/fraction.h"

void sheet_line_init(struct sheet_line *line)
{
    *line = (struct sheet_line){ 0 };
    mpq_init(line->times);
    mpz_inits(line->n_messages, line->n_symbols, NULL);
}

void sheet_line_clear(struct sheet_line *line)
{
    mpq_clear(line->times);
    mpz_clears(line->n_messages, line->n_symbols, NULL);
}

void sheet_line_close(struct sheet_line *line)
{
    if (line->n_run == 0)
        return;
    fraction_add(line->times, line->n_run, line->num, line->den);
    fraction_add_product(line->n_messages, line->n_run, 1);
    fraction_add_product(line->n_symbols, line->n_run, line->n_each);
    line->n_run = 0;
}

void sheet_line_add(struct sheet_line *line, uint64_t n, uint64_t num, uint64_t den,
                    uint64_t n_symbols)
{
    if (n == 0)
        return;
    if (line->num != num || line->den != den || line->n_each != n_symbols ||
        n > UINT64_MAX - line->n_run) {
        sheet_line_close(line);
        line->num = num;
        line->den = den;
        line->n_each = n_symbols;
    }
    line->n_run += n;
}

void sheet_line_add_times(struct sheet_line *line, uint64_t n_times, uint64_t n, uint64_t num,
                          uint64_t den, uint64_t n_symbols)
{
    struct sheet_line once;
    mpz_t factor;

    sheet_line_init(&once);
    mpz_init(factor);
    sheet_line_add(&once, n, num, den, n_symbols);
    sheet_line_close(&once);
    fraction_set_integer(factor, n_times);
    mpz_mul(mpq_numref(once.times), mpq_numref(once.times), factor);
    mpq_canonicalize(once.times);
    mpq_add(line->times, line->times, once.times);
    mpz_addmul(line->n_messages, once.n_messages, factor);
    mpz_addmul(line->n_symbols, once.n_symbols, factor);
    mpz_clear(factor);
    sheet_line_clear(&once);
}

void sheet_init(struct sheet *sheet)
{
    for (size_t i = 0; i < N_LINKS; i++)
        sheet_line_init(&sheet->links[i]);
    sheet_line_init(&sheet->total);
    sheet->n_keys = sheet->n_client_keys = 0;
}

void sheet_clear(struct sheet *sheet)
{
    for (size_t i = 0; i < N_LINKS; i++)
        sheet_line_clear(&sheet->links[i]);
    sheet_line_clear(&sheet->total);
}

void sheet_close(struct sheet *sheet)
{
    struct sheet_line *total = &sheet->total;

    for (size_t i = 0; i < N_LINKS; i++) {
        struct sheet_line *line = &sheet->links[i];

        sheet_line_close(line);
        mpq_add(total->times, total->times, line->times);
        mpz_add(total->n_messages, total->n_messages, line->n_messages);
        mpz_add(total->n_symbols, total->n_symbols, line->n_symbols);
    }
}

static enum sheet_link link_of(const struct stage *s)
{
    if (s->from == NODE_CLIENT)
        return LINK_CLIENT_STATION;
    if (s->from == NODE_STATION)
        return s->to == NODE_STATION ? LINK_STATION_STATION
               : s->to == NODE_RELAY ? LINK_STATION_RELAY
                                     : LINK_STATION_FEDERATOR;
    return s->to == NODE_RELAY ? LINK_RELAY_RELAY : LINK_RELAY_FEDERATOR;
}

void sheet_add_messages(struct sheet *sheet, const struct message *s, uint64_t n, uint64_t length)
{
    sheet_add(sheet, link_of(s->stage), n, s->n_rows, (uint64_t)s->cuts[0] * s->cuts[1],
              protocol_symbols(s, length));
    if (s->stage->kind == HEADER_VECTOR) {
        sheet->n_keys += n;
        sheet->n_client_keys += s->stage->from == NODE_CLIENT ? n : 0;
    }
}

bool sheet_without_keys(const struct stage *s)
{
    return s->secret != HEADER_KEY;
}

struct fold {
    struct sheet *sheet;
    uint64_t length;
    sheet_counts_fn *counts;
};

static int add_message(void *fold, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct fold *f = fold;

    (void)err;
    if (node_equal(s->from, s->to))
        return 0; /* not sent */
    if (!f->counts || f->counts(s->stage))
        sheet_add_messages(f->sheet, s, n, f->length);
    return 0;
}

int sheet_add_round(struct sheet *sheet, const struct plan *p, uint64_t length,
                    sheet_counts_fn *counts, struct hagg_err *err)
{
    struct protocol *round = protocol_open(p, NULL, err);
    struct fold fold = { sheet, length, counts };
    int status = round ? protocol_each_group(round, add_message, &fold, err) : -1;

    protocol_free(round);
    return status;
}
