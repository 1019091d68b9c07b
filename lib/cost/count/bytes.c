#include "cost/count/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost/count/fraction.h"
#include "cost/count/sheet.h"
#include "head.h"
#include "plan/plan_aligned.h"
#include "size.h"

/* Of numbers of clients: in a header they have 1, 2, 3 or 5 bytes. */
#define N_WIDTHS 4

static const uint32_t first_of_width[N_WIDTHS] = { 1, 24, 256, 65536 };

/* All that the size of a record depends on, within a round, except for sets of clients. It has no
 * padding. */
struct key {
    const struct stage *stage;
    uint32_t class, pattern;
    struct header_symbols symbols;
    size_t from, to, index, point, source; /* widths */
    size_t seed;
};

struct fold {
    const struct plan *p;
    struct protocol_headers *headers;
    struct bytes *bytes;
    uint64_t (*n_clients)[N_WIDTHS]; /* by group */
    struct key last;                 /* of the last record with a key */
    uint64_t last_size;
    /* Consecutive records of one size on one link. */
    enum topology_link link;
    uint64_t n_run, size;
};

void bytes_init(struct bytes *b)
{
    for (size_t i = 0; i < N_LINKS; i++)
        mpz_init(b->links[i]);
    mpz_init(b->total);
}

void bytes_clear(struct bytes *b)
{
    for (size_t i = 0; i < N_LINKS; i++)
        mpz_clear(b->links[i]);
    mpz_clear(b->total);
}

uint64_t bytes_of_record(const struct plan *p, const struct message *s, const struct header *h)
{
    bool sealed = p->topology.identities[0];

    if (s->seed)
        return size_record(h, 1, HEADER_SEED_BYTES, sealed);
    return size_record(h, field_elem_size(p->field), protocol_symbols(s, h->length), sealed);
}

static size_t width_of(uint32_t number)
{
    size_t i = N_WIDTHS - 1;

    while (number < first_of_width[i])
        i--;
    return i;
}

static void end_run(struct fold *f)
{
    if (f->n_run > 0)
        fraction_add_product(f->bytes->links[f->link], f->n_run, f->size);
    f->n_run = 0;
}

static void add_records(struct fold *f, enum topology_link link, uint64_t n, uint64_t size)
{
    if (link != f->link || size != f->size || n > UINT64_MAX - f->n_run) {
        end_run(f);
        f->link = link;
        f->size = size;
    }
    f->n_run += n;
}

/* Messages of a client, and sums of one pattern, are alike but for numbers of nodes. */
static bool has_key(const struct fold *f, const struct message *s)
{
    return s->stage->from == NODE_CLIENT ||
           (!f->p->topology.aligned && s->stage->kind != HEADER_VECTOR);
}

static struct key key_of(const struct fold *f, const struct message *s)
{
    const struct plan_aligned *a = f->p->aligned;

    return (struct key){
        .stage = s->stage,
        .class = s->class,
        .pattern = s->pattern,
        .symbols = s->symbols,
        .from = head_shortest(s->from.number),
        .to = head_shortest(s->to.number),
        .index = head_shortest(s->index),
        .point = head_shortest(a ? aligned_point(a->sharing.n_segments, s->to.number)
                                 : s->index + UINT64_C(1)),
        .source = head_shortest(s->source),
        .seed = s->seed,
    };
}

/* Sets *size; without a computation if the record is like the last one. */
static int size_of(struct fold *f, const struct message *s, uint64_t *size, struct hagg_err *err)
{
    struct key key = key_of(f, s);
    const struct header *h;

    *size = f->last_size;
    if (has_key(f, s) && memcmp(&key, &f->last, sizeof key) == 0)
        return 0;
    h = protocol_headers_of(f->headers, s, NULL, err);
    if (!h)
        return -1;
    *size = bytes_of_record(f->p, s, h);
    if (has_key(f, s)) {
        f->last = key;
        f->last_size = *size;
    }
    return 0;
}

/* The record travels over the link of its stage first, and then from its courier. */
static int add_message(struct fold *f, const struct message *s, uint64_t n, struct hagg_err *err)
{
    uint64_t size;

    if (size_of(f, s, &size, err))
        return -1;
    add_records(f, prices_link(s->stage->from, s->stage->to), n, size);
    if (s->courier > 0)
        add_records(f, LINK_STATION_STATION, n, size);
    return 0;
}

/* The clients of a group send records that differ only in their own numbers. */
static int add_group(void *fold, const struct message *s, uint64_t n, struct hagg_err *err)
{
    struct node way[SHEET_MOST_HOPS + 1];
    struct message one = *s;
    struct fold *f = fold;
    uint32_t group;

    if (sheet_hops(s, way) == 0)
        return 0;
    if (s->stage->from != NODE_CLIENT)
        return add_message(f, s, n, err);
    group = topology_client(&f->p->topology, s->from.number)->group;
    for (size_t i = 0; i < N_WIDTHS; i++) {
        one.from.number = first_of_width[i];
        if (f->n_clients[group][i] > 0 && add_message(f, &one, f->n_clients[group][i], err))
            return -1;
    }
    return 0;
}

static int count_clients(struct fold *f, struct hagg_err *err)
{
    const struct topology *t = &f->p->topology;

    f->n_clients = calloc(t->n_groups + 1, sizeof *f->n_clients);
    if (!f->n_clients)
        return err_errno(err, "%s", f->p->name);
    for (size_t i = 0; i < t->n_clients; i++)
        f->n_clients[t->clients[i].group][width_of(t->clients[i].number)]++;
    return 0;
}

static struct protocol_vector vector_of(const struct plan *p, const struct bytes_options *o)
{
    const struct topology *t = &p->topology;
    struct protocol_vector v = {
        .has_round = true,
        .round = o->round,
        .length = (o->length > 0 ? o->length : t->length) + t->samples,
        .has_shape = true,
        .shape = (uint64_t *)(uintptr_t)o->shape, /* only read */
        .n_shape = o->n_shape,
        .has_ids = true,
    };

    snprintf(v.type, sizeof v.type, "%s",
             o->type                       ? o->type
             : header_has_quant(&t->quant) ? "f4"
                                           : "i8");
    return v;
}

static int add_round(struct fold *f, const struct bytes_options *o, struct hagg_err *err)
{
    const struct protocol_presence all = { .prefixes = true };
    struct protocol_vector v = vector_of(f->p, o);
    uint64_t length = v.length - f->p->topology.samples;
    struct protocol *round = protocol_open(f->p, &all, err);
    int status;

    if (!v.shape) {
        v.shape = &length;
        v.n_shape = 1;
    }
    f->headers = round ? protocol_headers_new(round, &v, err) : NULL;
    status = f->headers && count_clients(f, err) == 0
                 ? protocol_each_group(round, add_group, f, err)
                 : -1;
    end_run(f);
    free(f->n_clients);
    protocol_headers_free(f->headers);
    protocol_free(round);
    return status;
}

int bytes_of_round(const struct plan *p, const struct bytes_options *o, struct bytes *b,
                   struct hagg_err *err)
{
    struct fold f = { .p = p, .bytes = b };
    int status;

    if (o->type && o->type[0] == 'f' && !header_has_quant(&p->topology.quant))
        return err_set(err, HAGG_E_USAGE,
                       "%s: has no quantize line, which vectors of type %s need: use another type",
                       p->name, o->type);
    status = add_round(&f, o, err);
    mpz_set_ui(b->total, 0);
    for (size_t i = 0; i < N_LINKS; i++)
        mpz_add(b->total, b->total, b->links[i]);
    return status;
}
