#include "cost/count/draws.h"

static struct sheet_line *line_of(struct sheet *sheet, const struct message *s)
{
    return &sheet->draws[s->stage->from == NODE_CLIENT    ? DRAWS_CLIENTS
                         : s->stage->from == NODE_STATION ? DRAWS_STATIONS
                                                          : DRAWS_RELAYS];
}

void draws_add_rows(struct sheet *sheet, const struct message *s, uint64_t n, uint64_t n_rows,
                    uint64_t length)
{
    struct message row = *s;

    if (n_rows == 0)
        return;
    row.n_rows = 1;
    row.n_joined = 0;
    row.seed = false;
    sheet_line_add(line_of(sheet, s), n, n_rows, (uint64_t)s->cuts[0] * s->cuts[1],
                   n_rows * protocol_symbols(&row, length));
}

void draws_add_keys(struct sheet *sheet, uint64_t n, uint64_t length)
{
    sheet_line_add(&sheet->draws[DRAWS_CLIENTS], n, 1, 1, length);
}

/* The first message with a client's key, or with a share of it. */
static bool has_key(const struct message *s)
{
    return s->stage->from == NODE_CLIENT && s->stage->secret == HEADER_KEY;
}

/* A key that is sent in the clear may be a seed. A key that is shared is drawn in any case. */
static void add_key(const struct draws_run *run, struct sheet *sheet, uint64_t length)
{
    if (run->first.stage->kind != HEADER_VECTOR || !run->first.seed)
        draws_add_keys(sheet, run->n, length);
}

void draws_end(struct draws_run *run, struct sheet *sheet, uint64_t length)
{
    const struct message *s = &run->first;

    if (!s->stage)
        return;
    if (has_key(s))
        add_key(run, sheet, length);
    if (s->n_draws > run->n_expanded)
        draws_add_rows(sheet, s, run->n, s->n_draws - run->n_expanded, length);
    if (run->n_seeds > 0)
        sheet_line_add(line_of(sheet, s), run->n * run->n_seeds, 0, 1, 0);
    *run = (struct draws_run){ 0 };
}

void draws_next(struct draws_run *run, struct sheet *sheet, const struct message *s, uint64_t n,
                uint64_t length)
{
    if (run->first.stage != s->stage || !node_equal(run->first.from, s->from) ||
        run->first.draws != s->draws) {
        draws_end(run, sheet, length);
        run->first = *s;
        run->n = n;
    }
    if (s->seed) {
        run->n_seeds++;
        run->n_expanded += s->n_rows;
    }
}
