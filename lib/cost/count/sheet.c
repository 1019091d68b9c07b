#include "cost/count/sheet.h"

#include "cost/count/draws.h"
#include "cost/count/fraction.h"

void sheet_line_init(struct sheet_line *line)
{
    *line = (struct sheet_line){ 0 };
    mpq_inits(line->times, line->price, NULL);
    mpz_inits(line->n_messages, line->n_symbols, line->n_seeds, line->n_bytes, line->symbol_price,
              line->seed_price, NULL);
}

void sheet_line_clear(struct sheet_line *line)
{
    mpq_clears(line->times, line->price, NULL);
    mpz_clears(line->n_messages, line->n_symbols, line->n_seeds, line->n_bytes, line->symbol_price,
               line->seed_price, NULL);
}

void sheet_line_charge(struct sheet_line *line, uint64_t n, struct sheet_size size)
{
    mpz_t price, symbols;
    mpq_t times;

    if (size.price == 0 || n == 0)
        return;
    mpz_inits(price, symbols, NULL);
    mpq_init(times);
    fraction_add_product(price, n, size.price);
    fraction_add(times, 1, size.num, size.den);
    mpz_mul(mpq_numref(times), mpq_numref(times), price);
    mpq_canonicalize(times);
    mpq_add(line->price, line->price, times);
    if (size.num == 0)
        mpz_add(line->seed_price, line->seed_price, price);
    fraction_set_integer(symbols, size.n_symbols);
    mpz_addmul(line->symbol_price, price, symbols);
    mpz_clears(price, symbols, NULL);
    mpq_clear(times);
}

static void close_bytes(struct sheet_line *line)
{
    if (line->run_bytes > 0)
        fraction_add_product(line->n_bytes, line->run_bytes, 1);
    line->run_bytes = 0;
}

static void add_bytes(struct sheet_line *line, uint64_t n, uint64_t size)
{
    uint64_t bytes;

    if (__builtin_mul_overflow(n, size, &bytes)) {
        fraction_add_product(line->n_bytes, n, size);
        return;
    }
    if (bytes > UINT64_MAX - line->run_bytes)
        close_bytes(line);
    line->run_bytes += bytes;
}

void sheet_line_close(struct sheet_line *line)
{
    close_bytes(line);
    if (line->n_run == 0)
        return;
    fraction_add(line->times, line->n_run, line->num, line->den);
    fraction_add_product(line->n_messages, line->n_run, 1);
    fraction_add_product(line->n_symbols, line->n_run, line->n_each);
    if (line->num == 0)
        fraction_add_product(line->n_seeds, line->n_run, 1);
    sheet_line_charge(
        line, line->n_run,
        (struct sheet_size){ line->num, line->den, line->n_each, line->each_price, 0 });
    line->n_run = 0;
}

void sheet_line_add_size(struct sheet_line *line, uint64_t n, struct sheet_size size)
{
    if (n == 0)
        return;
    if (line->num != size.num || line->den != size.den || line->n_each != size.n_symbols ||
        line->each_price != size.price || n > UINT64_MAX - line->n_run) {
        sheet_line_close(line);
        line->num = size.num;
        line->den = size.den;
        line->n_each = size.n_symbols;
        line->each_price = size.price;
    }
    line->n_run += n;
    add_bytes(line, n, size.n_bytes);
}

struct sheet_size sheet_size_of(const struct message *s, uint64_t length)
{
    if (s->seed)
        return (struct sheet_size){ .den = 1 };
    return (struct sheet_size){ s->n_rows, (uint64_t)s->cuts[0] * s->cuts[1],
                                protocol_symbols(s, length), 0, 0 };
}

void sheet_line_add_line(struct sheet_line *line, const struct sheet_line *added)
{
    mpq_add(line->times, line->times, added->times);
    mpz_add(line->n_messages, line->n_messages, added->n_messages);
    mpz_add(line->n_symbols, line->n_symbols, added->n_symbols);
    mpz_add(line->n_seeds, line->n_seeds, added->n_seeds);
    mpz_add(line->n_bytes, line->n_bytes, added->n_bytes);
    mpq_add(line->price, line->price, added->price);
    mpz_add(line->symbol_price, line->symbol_price, added->symbol_price);
    mpz_add(line->seed_price, line->seed_price, added->seed_price);
}

void sheet_line_random_bytes(mpz_t bytes, const struct sheet_line *line, size_t elem_bytes)
{
    mpz_mul_ui(bytes, line->n_symbols, (unsigned long)elem_bytes);
    mpz_addmul_ui(bytes, line->n_seeds, SHEET_SEED_BYTES);
}

void sheet_line_price(mpq_t price, const struct sheet_line *line, uint32_t unit)
{
    mpq_t divisor;

    mpq_init(divisor);
    mpq_set_ui(divisor, unit, 1);
    mpq_div(price, line->price, divisor);
    mpq_clear(divisor);
}

void sheet_line_symbol_price(mpq_t price, const struct sheet_line *line, size_t elem_bytes,
                             uint32_t unit)
{
    mpz_mul_ui(mpq_numref(price), line->symbol_price, (unsigned long)elem_bytes);
    mpz_addmul_ui(mpq_numref(price), line->seed_price, SHEET_SEED_BYTES);
    mpz_set_ui(mpq_denref(price), (unsigned long)elem_bytes);
    mpz_mul_ui(mpq_denref(price), mpq_denref(price), unit);
    mpq_canonicalize(price);
}

static uint64_t price_of(const struct sheet *sheet, enum topology_link link)
{
    return sheet->prices ? prices_of_link(sheet->prices, link) : 0;
}

void sheet_add(struct sheet *sheet, enum topology_link link, uint64_t n, struct sheet_size size)
{
    size.price = price_of(sheet, link);
    sheet_line_add_size(&sheet->links[link], n, size);
}

static void multiply(mpz_t number, const mpz_t factor)
{
    mpz_mul(number, number, factor);
}

void sheet_line_add_times(struct sheet_line *line, uint64_t n_times, uint64_t n,
                          struct sheet_size size)
{
    struct sheet_line once;
    mpz_t factor;

    sheet_line_init(&once);
    mpz_init(factor);
    sheet_line_add_size(&once, n, size);
    sheet_line_close(&once);
    fraction_set_integer(factor, n_times);
    multiply(mpq_numref(once.times), factor);
    multiply(mpq_numref(once.price), factor);
    mpq_canonicalize(once.times);
    mpq_canonicalize(once.price);
    multiply(once.n_messages, factor);
    multiply(once.n_symbols, factor);
    multiply(once.n_seeds, factor);
    multiply(once.n_bytes, factor);
    multiply(once.symbol_price, factor);
    multiply(once.seed_price, factor);
    sheet_line_add_line(line, &once);
    mpz_clear(factor);
    sheet_line_clear(&once);
}

void sheet_add_times(struct sheet *sheet, enum topology_link link, uint64_t n_times, uint64_t n,
                     struct sheet_size size)
{
    size.price = price_of(sheet, link);
    sheet_line_add_times(&sheet->links[link], n_times, n, size);
}

void sheet_init(struct sheet *sheet)
{
    for (size_t i = 0; i < N_LINKS; i++)
        sheet_line_init(&sheet->links[i]);
    for (size_t i = 0; i < N_DRAWS; i++)
        sheet_line_init(&sheet->draws[i]);
    sheet_line_init(&sheet->total);
    sheet->prices = NULL;
    sheet->records = NULL;
    sheet->has_bytes = false;
    sheet_line_init(&sheet->drawn);
    sheet_line_init(&sheet->dealt);
    sheet->in_part = false;
    sheet->n_keys = sheet->n_client_keys = 0;
}

void sheet_clear(struct sheet *sheet)
{
    for (size_t i = 0; i < N_LINKS; i++)
        sheet_line_clear(&sheet->links[i]);
    for (size_t i = 0; i < N_DRAWS; i++)
        sheet_line_clear(&sheet->draws[i]);
    sheet_line_clear(&sheet->total);
    sheet_line_clear(&sheet->drawn);
    sheet_line_clear(&sheet->dealt);
}

void sheet_close(struct sheet *sheet)
{
    for (size_t i = 0; i < N_LINKS; i++) {
        sheet_line_close(&sheet->links[i]);
        sheet_line_add_line(&sheet->total, &sheet->links[i]);
    }
    for (size_t i = 0; i < N_DRAWS; i++) {
        sheet_line_close(&sheet->draws[i]);
        sheet_line_add_line(&sheet->drawn, &sheet->draws[i]);
    }
    sheet_line_close(&sheet->dealt);
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

/* Adds n messages of this size, apart from the price. */
static void add_messages(struct sheet *sheet, const struct message *s, uint64_t n,
                         struct sheet_size size)
{
    struct node courier = { NODE_STATION, s->courier };
    struct node from = { s->stage->from, s->from.number }, to = { s->stage->to, s->to.number };

    if (sheet->prices)
        size.price = prices_hop(sheet->prices, from, s->courier > 0 ? courier : to);
    sheet_line_add_size(&sheet->links[prices_link(from.tier, to.tier)], n, size);
    if (s->courier > 0) {
        size.price = sheet->prices ? prices_hop(sheet->prices, courier, to) : 0;
        sheet_line_add_size(&sheet->links[LINK_STATION_STATION], n, size);
    }
    if (s->stage->secret == HEADER_MASK)
        sheet_line_add_size(&sheet->dealt, n, size);
    sheet->in_part = sheet->in_part || s->symbols.end > 0;
    if (s->stage->kind == HEADER_VECTOR && !s->seed) {
        sheet->n_keys += n;
        sheet->n_client_keys += s->stage->from == NODE_CLIENT ? n : 0;
    }
}

void sheet_add_messages(struct sheet *sheet, const struct message *s, uint64_t n, uint64_t length)
{
    add_messages(sheet, s, n, sheet_size_of(s, length));
}

bool sheet_without_keys(const struct stage *s)
{
    return s->secret != HEADER_KEY;
}

struct fold {
    struct sheet *sheet;
    uint64_t length;
    sheet_counts_fn *counts;
    struct draws_run run;
    struct record_sizes *sizes; /* NULL: bytes are not counted */
};

static int add_sized(struct fold *f, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct sheet_size size = sheet_size_of(s, f->length);
    struct record_sizes_group group = { .n = { n }, .n_sizes = 1 };

    if (f->sizes && record_sizes_of_group(f->sizes, s, n, &group, err))
        return -1;
    for (size_t i = 0; i < group.n_sizes; i++) {
        size.n_bytes = group.size[i];
        add_messages(f->sheet, s, group.n[i], size);
    }
    return 0;
}

static int add_message(void *fold, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct node way[SHEET_MOST_HOPS + 1];
    struct fold *f = fold;

    if (f->counts && !f->counts(s->stage))
        return 0;
    draws_next(&f->run, f->sheet, s, n, f->length);
    return sheet_hops(s, way) > 0 ? add_sized(f, s, n, err) : 0;
}

static int add_round(struct fold *fold, const struct plan *p,
                     const struct protocol_presence *presence, struct hagg_err *err)
{
    struct protocol *round = protocol_open(p, presence, err);
    /* a seed is in a sealed record, so there is no record for it without identities */
    bool has_bytes = fold->sheet->records && fold->length > 0 && !fold->counts &&
                     !presence->worst &&
                     (p->topology.identities[0] || !topology_has_seeds(&p->topology));
    int status = round ? 0 : -1;

    if (status == 0 && has_bytes &&
        !(fold->sizes = record_sizes_new(round, fold->sheet->records, err)))
        status = -1;
    if (status == 0)
        status = protocol_each_group(round, add_message, fold, err);
    draws_end(&fold->run, fold->sheet, fold->length);
    fold->sheet->has_bytes = has_bytes;
    record_sizes_free(fold->sizes);
    protocol_free(round);
    return status;
}

int sheet_add_round(struct sheet *sheet, const struct plan *p, uint64_t length,
                    sheet_counts_fn *counts, struct hagg_err *err)
{
    return add_round(&(struct fold){ .sheet = sheet, .length = length, .counts = counts }, p,
                     &(struct protocol_presence){ .prefixes = true }, err);
}

int sheet_add_worst(struct sheet *sheet, const struct plan *p, uint64_t length,
                    struct hagg_err *err)
{
    return add_round(&(struct fold){ .sheet = sheet, .length = length }, p,
                     &(struct protocol_presence){ .prefixes = true, .worst = true }, err);
}

int sheet_add_stand_by(struct sheet *sheet, const struct plan *p, uint64_t length,
                       struct hagg_err *err)
{
    return add_round(&(struct fold){ .sheet = sheet, .length = length }, p,
                     &(struct protocol_presence){ .prefixes = true, .stand_by = true }, err);
}
