#include "cost/count/sheet.h"

#include "cost/count/fraction.h"

void sheet_line_init(struct sheet_line *line)
{
    *line = (struct sheet_line){ 0 };
    mpq_init(line->times);
    mpz_inits(line->n_messages, line->n_symbols, line->n_seeds, NULL);
}

void sheet_line_clear(struct sheet_line *line)
{
    mpq_clear(line->times);
    mpz_clears(line->n_messages, line->n_symbols, line->n_seeds, NULL);
}

void sheet_line_close(struct sheet_line *line)
{
    if (line->n_run == 0)
        return;
    fraction_add(line->times, line->n_run, line->num, line->den);
    fraction_add_product(line->n_messages, line->n_run, 1);
    fraction_add_product(line->n_symbols, line->n_run, line->n_each);
    if (line->num == 0)
        fraction_add_product(line->n_seeds, line->n_run, 1);
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

struct sheet_size sheet_size_of(const struct message *s, uint64_t length)
{
    if (s->seed)
        return (struct sheet_size){ 0, 1, 0 };
    return (struct sheet_size){ s->n_rows, (uint64_t)s->cuts[0] * s->cuts[1],
                                protocol_symbols(s, length) };
}

void sheet_line_add_line(struct sheet_line *line, const struct sheet_line *added)
{
    mpq_add(line->times, line->times, added->times);
    mpz_add(line->n_messages, line->n_messages, added->n_messages);
    mpz_add(line->n_symbols, line->n_symbols, added->n_symbols);
    mpz_add(line->n_seeds, line->n_seeds, added->n_seeds);
}

void sheet_line_bytes(mpz_t bytes, const struct sheet_line *line, size_t elem_bytes)
{
    mpz_mul_ui(bytes, line->n_symbols, (unsigned long)elem_bytes);
    mpz_addmul_ui(bytes, line->n_seeds, SHEET_SEED_BYTES);
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
    for (size_t i = 0; i < N_LINKS; i++) {
        sheet_line_close(&sheet->links[i]);
        sheet_line_add_line(&sheet->total, &sheet->links[i]);
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

size_t sheet_hops(const struct message *s, struct node way[SHEET_MOST_HOPS + 1])
{
    size_t n = 0;

    if (node_equal(s->from, s->to))
        return 0;
    way[n++] = s->from;
    if (s->courier > 0)
        way[n++] = (struct node){ NODE_STATION, s->courier };
    way[n] = s->to;
    return n;
}

void sheet_add_messages(struct sheet *sheet, const struct message *s, uint64_t n, uint64_t length)
{
    struct sheet_size size = sheet_size_of(s, length);

    sheet_line_add_size(&sheet->links[link_of(s->stage)], n, size);
    if (s->courier > 0)
        sheet_line_add_size(&sheet->links[LINK_STATION_STATION], n, size);
    if (s->stage->kind == HEADER_VECTOR && !s->seed) {
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
    struct node way[SHEET_MOST_HOPS + 1];
    struct fold *f = fold;

    (void)err;
    if (sheet_hops(s, way) > 0 && (!f->counts || f->counts(s->stage)))
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
