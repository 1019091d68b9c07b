#include "aggregate/aggregate_relay.h"

#include <stdlib.h>
#include <string.h>

#include "aggregate/aggregate_rows.h"
#include "records/agree.h"

/* Bytes of each sum that are read at once. */
#define ROWS_BYTES (256u * 1024)

/* The sums that a relay received. */
struct relay {
    struct aggregate *a;
    const struct plan_aligned *plan;
    uint32_t number;
    struct aggregate_sum **sums; /* in order of arrival */
    size_t n;
    struct rangeset stations;
};

bool aggregate_relay_has(const struct aggregate_sum *g)
{
    return strcmp(g->header.to.tier, node_tier_name(NODE_RELAY)) == 0;
}

static const char *file_of(const struct relay *r, const struct aggregate_sum *g)
{
    return filecache_name(&r->a->files, g->file);
}

/* Lists the sums, which must belong together. */
static int gather(struct relay *r, struct hagg_err *err)
{
    const struct aggregate_sum *masked = NULL;

    for (struct aggregate_sum *g = r->a->sums; g; g = g->next) {
        uint32_t station = g->header.route[0].numbers[g->header.scheme.index];

        if (!aggregate_relay_has(g) || g->header.to.number != r->number)
            continue;
        if (!protocol_has(r->a->round, (struct node){ NODE_STATION, station }))
            return err_set(err, HAGG_E_MISMATCH,
                           "%s: is the sum of station %u, which --missing names: leave it out, or "
                           "change --missing at all relays",
                           file_of(r, g), station);
        if (r->n > 0 &&
            (agree_on_sums(&r->sums[0]->header, file_of(r, r->sums[0]), &g->header, file_of(r, g),
                           err) ||
             agree_on_runs(&masked->header, file_of(r, masked), &g->header, file_of(r, g), err)))
            return -1;
        /* a station that gets no masks cannot show which dealing the others used */
        if (r->n == 0 || (!masked->header.has_mix && g->header.has_mix))
            masked = g;
        r->sums[r->n++] = g;
        if (rangeset_add(&r->stations, station, station, err))
            return -1;
    }
    return 0;
}

/* Starts the record that a relay makes from one of the sums. */
static int begin_header(const struct aggregate_sum *g, struct header *h, struct hagg_err *err)
{
    if (agree_copy_known(h, &g->header, err))
        return -1;
    h->from = h->to;
    h->to = node_in_header(NODE_THE_FEDERATOR);
    return 0;
}

static int pass_on(struct aggregate *a, struct aggregate_sum *g, struct outfiles *out,
                   struct hagg_err *err)
{
    struct header h = { 0 };
    struct writer *w;
    int status = -1;

    if (begin_header(g, &h, err) == 0 && (w = outfiles_writer(out, h.to.number, err)) &&
        writer_begin(w, &h, field_elem_size(a->field), g->n_elems, err) == 0 &&
        aggregate_report_add(a, &h, err) == 0)
        status = aggregate_copy(a, g, &selection_all, w, err);
    header_clear(&h);
    return status;
}

/* The sums of a relay on their way into a summand. */
struct combining {
    const struct relay *r;
    struct header header;
    struct lagrange basis;
    uint32_t *places; /* by sum: place of its station in the basis */
    size_t size, row_elems;
    struct aggregate_input *inputs; /* by sum */
    const void **from;              /* by sum: its current row */
    unsigned char *out;             /* rows of the summand */
    void **to;
    uint32_t max_rows; /* of out */
};

static struct blocks blocks_of(const struct combining *c, size_t i)
{
    return c->r->plan->blocks[c->r->sums[i]->header.scheme.index];
}

/* Returns the first segment after this one at which an interval of any sum begins. */
static uint32_t next_cut(const struct combining *c, uint32_t segment)
{
    uint32_t next = c->r->plan->sharing.n_segments;

    for (size_t i = 0; i < c->r->n; i++) {
        struct blocks b = blocks_of(c, i);
        uint32_t own = blocks_next(&b, segment);

        next = own < next ? own : next;
    }
    return next;
}

/* Of all sums, one that describes the vectors: that of a station without clients does not. */
static const struct aggregate_sum *describing(const struct relay *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (r->sums[i]->header.has_shape || r->sums[i]->header.type[0])
            return r->sums[i];
    return r->sums[0];
}

/* Turns the header of a sum into that of a summand. It takes over the sets. */
static int make_header(struct combining *c, struct rangeset *stations, struct rangeset *basis,
                       struct hagg_err *err)
{
    struct header *h = &c->header;

    if (begin_header(describing(c->r), h, err))
        return -1;
    for (size_t i = 0; i < c->r->n && !h->has_mix; i++) {
        h->has_mix = c->r->sums[i]->header.has_mix;
        memcpy(h->mix, c->r->sums[i]->header.mix, sizeof h->mix);
    }
    h->kind = HEADER_SUMMAND;
    for (size_t i = 0; i < h->n_route; i++)
        free(h->route[i].numbers);
    h->n_route = h->n_blocks = 0;
    h->n_segments = 0;
    h->scheme = (struct header_scheme){ 0 };
    h->stations = stations->ranges;
    h->n_stations = stations->n;
    h->basis = basis->ranges;
    h->n_basis = basis->n;
    *stations = *basis = (struct rangeset){ 0 };
    return 0;
}

static int find_places(struct combining *c, const struct rangeset *basis, struct hagg_err *err)
{
    const struct plan_aligned *plan = c->r->plan;
    uint32_t *by_holder = calloc(plan->sharing.n, sizeof *by_holder);
    int status = -1;

    c->places = calloc(c->r->n, sizeof *c->places);
    if (!by_holder || !c->places)
        err_errno(err, "no memory for a summand");
    else
        status = plan_aligned_basis(plan, basis, &c->basis, by_holder, err);
    for (size_t i = 0; i < c->r->n && status == 0; i++)
        c->places[i] = by_holder[c->r->sums[i]->header.scheme.index];
    free(by_holder);
    return status;
}

/* A row of a sum is used for all segments of its interval. */
static int open_rows(struct combining *c, struct hagg_err *err)
{
    for (size_t i = 0; i < c->r->n; i++) {
        struct aggregate_input *in = &c->inputs[i];
        const struct rows_shape shape = {
            .elem_size = c->size,
            .row_elems = c->row_elems,
            .n_rows = c->r->plan->n_rows[c->r->sums[i]->header.scheme.index],
            .piece_elems = c->row_elems > 0 ? c->row_elems : 1,
            .keeps = true,
        };

        *in = (struct aggregate_input){ .g = c->r->sums[i], .a = c->r->a };
        if (rows_new(&in->rows, &shape, ROWS_BYTES, aggregate_rows_read, in, err))
            return -1;
    }
    return 0;
}

static int allocate(struct combining *c, struct hagg_err *err)
{
    uint32_t n_segments = c->r->plan->sharing.n_segments;

    for (uint32_t first = 0, end; first < n_segments; first = end) {
        end = next_cut(c, first);
        c->max_rows = end - first > c->max_rows ? end - first : c->max_rows;
    }
    c->size = field_elem_size(c->r->a->field);
    c->row_elems = (size_t)blocks_segment_length(n_segments, c->header.length);
    c->inputs = calloc(c->r->n, sizeof *c->inputs);
    c->from = calloc(c->r->n, sizeof *c->from);
    c->out = calloc(c->max_rows, c->row_elems * c->size + 1);
    c->to = calloc(c->max_rows, sizeof *c->to);
    if (!c->inputs || !c->from || !c->out || !c->to)
        return err_errno(err, "no memory for a summand");
    for (uint32_t i = 0; i < c->max_rows; i++)
        c->to[i] = c->out + i * c->row_elems * c->size;
    return open_rows(c, err);
}

/* Combines segments first .. end - 1, in which no interval begins except at first. */
static int write_segments(struct combining *c, uint32_t first, uint32_t end, struct writer *w,
                          struct hagg_err *err)
{
    struct matrix factors = { 0 };
    uint64_t at = first * (uint64_t)c->row_elems, left;

    for (size_t i = 0; i < c->r->n; i++) {
        struct blocks b = blocks_of(c, i);

        c->from[i] = rows_at(&c->inputs[i].rows, blocks_begins(&b, first), 0, c->row_elems, err);
        if (!c->from[i])
            return -1;
    }
    if (aligned_factors(&factors, &c->basis, c->places, (uint32_t)c->r->n, first, end, err))
        return -1;
    matrix_apply(&factors, c->r->a->field, c->to, c->from, c->row_elems);
    matrix_free(&factors);
    /* the last segments may be cut off, or be zeros alone */
    left = at < c->header.length ? c->header.length - at : 0;
    if (left > (end - first) * (uint64_t)c->row_elems)
        left = (end - first) * (uint64_t)c->row_elems;
    return writer_elems(w, c->out, (size_t)left, err);
}

static void combining_free(struct combining *c)
{
    for (size_t i = 0; c->inputs && i < c->r->n; i++)
        rows_free(&c->inputs[i].rows);
    if (c->out)
        explicit_bzero(c->out, c->max_rows * c->row_elems * c->size);
    header_clear(&c->header);
    lagrange_free(&c->basis);
    free(c->places);
    free(c->inputs);
    free(c->out);
    free(c->from);
    free(c->to);
}

static int combine(struct relay *r, struct outfiles *out, struct hagg_err *err)
{
    uint32_t n_segments = r->plan->sharing.n_segments;
    struct combining c = { .r = r };
    struct rangeset basis = { 0 };
    struct writer *w = NULL;
    int status = protocol_basis(r->a->round, &basis, err) || find_places(&c, &basis, err) ||
                         make_header(&c, &r->stations, &basis, err) || allocate(&c, err)
                     ? -1
                     : 0;

    rangeset_free(&basis);
    if (status == 0)
        w = outfiles_writer(out, c.header.to.number, err);
    status = w ? writer_begin(w, &c.header, c.size, c.header.length, err) : -1;
    if (status == 0)
        status = aggregate_report_add(r->a, &c.header, err);
    for (uint32_t first = 0, end; first < n_segments && status == 0; first = end) {
        end = next_cut(&c, first);
        status = write_segments(&c, first, end, w, err);
    }
    if (status == 0)
        status = writer_end(w, err);
    combining_free(&c);
    return status;
}

static int write_relay(struct relay *r, struct outfiles *out, struct hagg_err *err)
{
    if (gather(r, err))
        return -1;
    if (protocol_combines(r->a->round, &r->stations))
        return combine(r, out, err);
    for (size_t i = 0; i < r->n; i++)
        if (pass_on(r->a, r->sums[i], out, err))
            return -1;
    return 0;
}

int aggregate_relay_write(struct aggregate *a, struct outfiles *out, struct hagg_err *err)
{
    size_t n = 0;
    int status = 0;

    for (const struct aggregate_sum *g = a->sums; g; g = g->next)
        n += aggregate_relay_has(g);
    for (uint32_t m = 1; m <= a->options->plan->topology.n_relays && n > 0 && status == 0; m++) {
        struct relay r = { .a = a, .plan = a->options->plan->aligned, .number = m };

        r.sums = calloc(n, sizeof *r.sums);
        status = r.sums ? write_relay(&r, out, err) : err_errno(err, "no memory for a summand");
        free(r.sums);
        rangeset_free(&r.stations);
    }
    return status;
}

int aggregate_relay_claim(const struct aggregate *a, struct hagg_err *err)
{
    for (const struct aggregate_sum *g = a->sums; g; g = g->next) {
        const struct header *h = &g->header;
        const struct rangeset clients = { .ranges = h->clients, .n = h->n_clients };

        if (aggregate_relay_has(g) && state_sum_counts(h) && state_remembers(a->options->state) &&
            state_claim_clients(a->options->state, h->plan, h->round, &clients, err))
            return -1;
    }
    return 0;
}
