#include "cost/count/record_sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "head.h"
#include "plan/plan_aligned.h"
#include "size.h"

/* Of numbers of clients: in a header they have 1, 2, 3 or 5 bytes. */
static const uint32_t first_of_width[RECORD_SIZES_MOST] = { 1, 24, 256, 65536 };

/* All that the size of a record depends on, within a round, apart from sets of clients. It has no
 * padding. */
struct key {
    const struct stage *stage;
    uint64_t place;   /* of an aligned share its blocks, otherwise its class and pattern */
    uint64_t n_elems; /* 0: a seed */
    struct header_symbols symbols;
    uint8_t from, to, index, point, source, source_point, unused[2]; /* widths */
};

/* The size of the last record with each hash of its key. */
#define N_KNOWN 256
struct known {
    struct key key;
    uint64_t size;
};

struct record_sizes {
    const struct plan *plan;
    uint64_t length; /* in place of a shape */
    struct protocol_headers *headers;
    uint64_t (*n_clients)[RECORD_SIZES_MOST]; /* by group */
    struct known known[N_KNOWN];
    uint32_t client, group; /* of the topology: the last client */
};

const char *record_sizes_type(const struct plan *p)
{
    return header_has_quant(&p->topology.quant) ? "f4" : "i8";
}

uint64_t record_size(const struct plan *p, const struct message *s, const struct header *h)
{
    bool sealed = p->topology.identities[0];

    if (s->seed)
        return size_record(h, 1, HEADER_SEED_BYTES, sealed);
    return size_record(h, field_elem_size(p->field), protocol_symbols(s, h->length), sealed);
}

static size_t width_of(uint32_t number)
{
    size_t i = RECORD_SIZES_MOST - 1;

    while (number < first_of_width[i])
        i--;
    return i;
}

/* Messages of a client, and sums of one pattern, are alike but for numbers of nodes. */
static bool has_key(const struct record_sizes *r, const struct message *s)
{
    return s->stage->from == NODE_CLIENT ||
           (!r->plan->topology.aligned && s->stage->kind != HEADER_VECTOR);
}

static uint8_t width(uint64_t number)
{
    return (uint8_t)head_shortest(number);
}

static struct key key_of(const struct record_sizes *r, const struct message *s)
{
    const struct plan_aligned *a = r->plan->aligned;
    uint64_t length = r->length + r->plan->topology.samples;

    return (struct key){
        .stage = s->stage,
        .place = a ? a->parts[s->class] : (uint64_t)s->class << 32 | s->pattern,
        .n_elems = s->seed ? 0 : protocol_symbols(s, length),
        .symbols = s->symbols,
        .from = width(s->from.number),
        .to = width(s->to.number),
        .index = width(s->index),
        .point =
            width(a ? aligned_point(a->sharing.n_segments, s->to.number) : s->index + UINT64_C(1)),
        .source = width(s->source),
        .source_point = width(s->source + UINT64_C(1)),
    };
}

static struct known *find(struct record_sizes *r, const struct key *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)key->stage;

    hash = hash * 31 + key->place;
    hash = hash * 31 + key->n_elems;
    hash = hash * 31 + key->symbols.first + key->symbols.end;
    hash = hash * 31 + key->from + 8u * key->to + 64u * key->index + 512u * key->point;
    hash = (hash + key->source + 8u * key->source_point) * 0x9e3779b97f4a7c15;
    return &r->known[hash >> 56];
}

/* Without a computation if the size of a record with this key is known. */
int record_sizes_of(struct record_sizes *r, const struct message *s, uint64_t *size,
                    struct hagg_err *err)
{
    struct key key;
    struct known *known = NULL;
    const struct header *h;

    if (has_key(r, s)) {
        key = key_of(r, s);
        known = find(r, &key);
        *size = known->size;
        if (memcmp(&key, &known->key, sizeof key) == 0)
            return 0;
    }
    h = protocol_headers_of(r->headers, s, NULL, err);
    if (!h)
        return -1;
    *size = record_size(r->plan, s, h);
    if (known)
        *known = (struct known){ key, *size };
    return 0;
}

/* The clients of a group send records that differ only in their own numbers. */
int record_sizes_of_group(struct record_sizes *r, const struct message *s, uint64_t n,
                          struct record_sizes_group *group, struct hagg_err *err)
{
    const struct topology *t = &r->plan->topology;
    struct message one = *s;
    const uint64_t *n_clients;

    group->n_sizes = 1;
    group->n[0] = n;
    if (s->stage->from != NODE_CLIENT)
        return record_sizes_of(r, s, &group->size[0], err);
    if (s->from.number != r->client) {
        r->client = s->from.number;
        r->group = topology_client(t, r->client)->group;
    }
    n_clients = r->n_clients[r->group];
    group->n_sizes = 0;
    for (size_t i = 0; i < RECORD_SIZES_MOST; i++) {
        if (n_clients[i] == 0)
            continue;
        one.from.number = first_of_width[i];
        group->n[group->n_sizes] = n_clients[i];
        if (record_sizes_of(r, &one, &group->size[group->n_sizes++], err))
            return -1;
    }
    return 0;
}

static int count_clients(struct record_sizes *r, struct hagg_err *err)
{
    const struct topology *t = &r->plan->topology;

    r->n_clients = calloc(t->n_groups + 1, sizeof *r->n_clients);
    if (!r->n_clients)
        return err_errno(err, "%s", r->plan->name);
    for (size_t i = 0; i < t->n_clients; i++)
        r->n_clients[t->clients[i].group][width_of(t->clients[i].number)]++;
    return 0;
}

static int open_headers(struct record_sizes *r, const struct protocol *round,
                        const struct bytes_options *o, struct hagg_err *err)
{
    const struct topology *t = &r->plan->topology;
    const char *type = o->type ? o->type : record_sizes_type(r->plan);
    struct protocol_vector v = {
        .has_round = true,
        .round = o->round,
        .length = r->length + t->samples,
        .has_shape = true,
        .shape = o->shape ? (uint64_t *)(uintptr_t)o->shape : &r->length, /* only read */
        .n_shape = o->shape ? o->n_shape : 1,
        .has_ids = true,
    };

    if (type[0] == 'f' && !header_has_quant(&t->quant))
        return err_set(err, HAGG_E_USAGE,
                       "%s: has no quantize line, which vectors of type %s need: use another type",
                       r->plan->name, type);
    snprintf(v.type, sizeof v.type, "%s", type);
    r->headers = protocol_headers_new(round, &v, err);
    return r->headers ? 0 : -1;
}

struct record_sizes *record_sizes_new(const struct protocol *round, const struct bytes_options *o,
                                      struct hagg_err *err)
{
    const struct plan *p = protocol_plan(round);
    struct record_sizes *r = calloc(1, sizeof *r);

    if (!r) {
        err_errno(err, "%s", p->name);
        return NULL;
    }
    r->plan = p;
    r->length = o->length > 0 ? o->length : p->topology.length;
    if (open_headers(r, round, o, err) == 0 && count_clients(r, err) == 0)
        return r;
    record_sizes_free(r);
    return NULL;
}

void record_sizes_free(struct record_sizes *r)
{
    if (!r)
        return;
    free(r->n_clients);
    protocol_headers_free(r->headers);
    free(r);
}
