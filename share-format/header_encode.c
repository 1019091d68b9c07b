#include "header.h"

#include <cbor.h>
#include <stdlib.h>
#include <string.h>

#include "head.h"

/* A growing buffer. After a failed allocation it stays failed, which is checked once at the end. */
struct out {
    uint8_t *bytes;
    size_t len, capacity;
    bool failed;
    bool counts; /* True to count the bytes without storing them. */
};

#define MAX_FIELDS (31 + LIMIT_EXTENSIONS)

/* The entries of the map, unsorted, and the offset of each. */
struct fields {
    struct out out;
    size_t starts[MAX_FIELDS + 1];
    size_t n;
};

/* One entry, for sorting. */
struct entry {
    const uint8_t *bytes;
    size_t len;
};

static uint8_t *reserve(struct out *o, size_t n)
{
    if (o->failed)
        return NULL;
    if (o->capacity - o->len < n) {
        size_t capacity = 2 * o->capacity + n + 256;
        uint8_t *bytes = realloc(o->bytes, capacity);

        if (!bytes) {
            o->failed = true;
            return NULL;
        }
        o->bytes = bytes;
        o->capacity = capacity;
    }
    return o->bytes + o->len;
}

static void put_head(struct out *o, size_t (*encode)(uint64_t, unsigned char *, size_t),
                     uint64_t value)
{
    uint8_t *p = o->counts ? NULL : reserve(o, 9);

    if (o->counts)
        o->len += head_shortest(value);
    else if (p)
        o->len += encode(value, p, 9);
}

/* Wrappers, because libcbor's encoders of lengths take a size_t. */
static size_t encode_text_start(uint64_t n, unsigned char *p, size_t size)
{
    return cbor_encode_string_start((size_t)n, p, size);
}

static size_t encode_bytes_start(uint64_t n, unsigned char *p, size_t size)
{
    return cbor_encode_bytestring_start((size_t)n, p, size);
}

static size_t encode_array_start(uint64_t n, unsigned char *p, size_t size)
{
    return cbor_encode_array_start((size_t)n, p, size);
}

static size_t encode_map_start(uint64_t n, unsigned char *p, size_t size)
{
    return cbor_encode_map_start((size_t)n, p, size);
}

static void put_raw(struct out *o, const void *bytes, size_t n)
{
    uint8_t *p = o->counts ? NULL : reserve(o, n);

    if (p && n > 0)
        memcpy(p, bytes, n);
    if (p || o->counts)
        o->len += n;
}

static void put_uint(struct out *o, uint64_t value)
{
    put_head(o, cbor_encode_uint, value);
}

static void put_text(struct out *o, const char *text)
{
    put_head(o, encode_text_start, strlen(text));
    put_raw(o, text, strlen(text));
}

static void put_bytes(struct out *o, const uint8_t *bytes, size_t n)
{
    put_head(o, encode_bytes_start, n);
    put_raw(o, bytes, n);
}

/* Returns the half-precision form of a finite, positive value, or 0 if there is none: 11
 * significant bits, digits down to 2^-24 and values up to 65504. libcbor is not used here, because
 * it rounds numbers below 2^-14 down to a power of two. */
static uint16_t half_bits(double value)
{
    double scaled = value * 16777216.0;
    unsigned exponent = 0;
    uint64_t bits;

    if (value > 65504.0 || scaled != (double)(uint64_t)scaled)
        return 0;
    for (bits = (uint64_t)scaled; bits >= 2048; bits >>= 1) {
        if (bits & 1)
            return 0;
        exponent++;
    }
    /* the leading one of a normal number adds the 1 missing from its exponent */
    return (uint16_t)((exponent << 10) + bits);
}

static void put_float(struct out *o, double value)
{
    uint16_t half = half_bits(value);
    uint8_t bytes[9] = { 0xf9, (uint8_t)(half >> 8), (uint8_t)half };
    size_t n = 3;

    if (!half)
        n = (double)(float)value == value ? cbor_encode_single((float)value, bytes, sizeof bytes)
                                          : cbor_encode_double(value, bytes, sizeof bytes);
    put_raw(o, bytes, n);
}

static void put_true(struct out *o)
{
    uint8_t byte;

    put_raw(o, &byte, cbor_encode_bool(true, &byte, sizeof byte));
}

static void put_node(struct out *o, const struct header_node *node)
{
    put_head(o, encode_array_start, 2);
    put_text(o, node->tier);
    put_uint(o, node->number);
}

static void put_scheme(struct out *o, const struct header_scheme *s)
{
    put_head(o, encode_map_start, s->has_point ? 6 : 5);
    put_text(o, "k");
    put_uint(o, s->k);
    put_text(o, "n");
    put_uint(o, s->n);
    put_text(o, "z");
    put_uint(o, s->z);
    put_text(o, "name");
    put_text(o, s->name);
    put_text(o, "index");
    put_uint(o, s->index);
    if (s->has_point) {
        put_text(o, "point");
        put_uint(o, s->point);
    }
}

static void put_route(struct out *o, const struct header *h)
{
    put_head(o, encode_array_start, h->n_route);
    for (size_t i = 0; i < h->n_route; i++) {
        put_head(o, encode_array_start, 2);
        put_text(o, h->route[i].name);
        put_head(o, encode_array_start, h->route[i].n_numbers);
        for (size_t j = 0; j < h->route[i].n_numbers; j++)
            put_uint(o, h->route[i].numbers[j]);
    }
}

static void put_numbers(struct out *o, const uint32_t *numbers, size_t n)
{
    put_head(o, encode_array_start, n);
    for (size_t i = 0; i < n; i++)
        put_uint(o, numbers[i]);
}

static void put_ranges(struct out *o, const struct header_range *ranges, size_t n)
{
    put_head(o, encode_array_start, 2 * n);
    for (size_t i = 0; i < n; i++) {
        put_uint(o, ranges[i].first);
        put_uint(o, ranges[i].last);
    }
}

static void put_shape(struct out *o, const struct header *h)
{
    put_head(o, encode_array_start, h->n_shape);
    for (size_t i = 0; i < h->n_shape; i++)
        put_uint(o, h->shape[i]);
}

static void put_quant(struct out *o, const struct header_quant *q)
{
    put_head(o, encode_map_start, 3);
    if (q->bits > 0) {
        put_text(o, "bits");
        put_uint(o, q->bits);
    }
    put_text(o, "clip");
    put_float(o, q->clip);
    if (q->bits == 0) {
        put_text(o, "levels");
        put_uint(o, q->levels);
    }
    put_text(o, "rounding");
    put_text(o, header_rounding_name(q->rounding));
}

/* Begins an entry: records its offset and writes its key. The caller writes the value next. */
static struct out *field(struct fields *f, const char *key)
{
    f->starts[f->n++] = f->out.len;
    put_text(&f->out, key);
    return &f->out;
}

/* Writes every entry that is present, unsorted. */
static void put_fields(struct fields *f, const struct header *h)
{
    put_uint(field(f, "v"), HEADER_VERSION);
    put_text(field(f, "kind"), header_kind_name(h->kind));
    if (header_has_vector(h)) {
        put_text(field(f, "of"), header_secret_name(h->secret));
        put_text(field(f, "field"), h->field);
        put_uint(field(f, "length"), h->length);
    }
    if (h->scheme.name[0])
        put_scheme(field(f, "scheme"), &h->scheme);
    if (h->n_route > 0)
        put_route(field(f, "route"), h);
    if (h->n_layout > 0)
        put_numbers(field(f, "layout"), h->layout, h->n_layout);
    if (h->symbols.end > 0)
        put_numbers(field(f, "symbols"), (const uint32_t[]){ h->symbols.first, h->symbols.end }, 2);
    if (h->n_segments > 0)
        put_uint(field(f, "segments"), h->n_segments);
    if (h->n_blocks > 0)
        put_numbers(field(f, "blocks"), h->blocks, h->n_blocks);
    if (h->chunks > 0)
        put_uint(field(f, "chunks"), h->chunks);
    if (h->n_dealers > 0)
        put_ranges(field(f, "dealers"), h->dealers, h->n_dealers);
    if (h->n_stations > 0)
        put_ranges(field(f, "stations"), h->stations, h->n_stations);
    if (h->n_basis > 0)
        put_ranges(field(f, "basis"), h->basis, h->n_basis);
    if (h->source.name[0])
        put_scheme(field(f, "source"), &h->source);
    if (h->has_carrier)
        put_uint(field(f, "carrier"), h->carrier);
    if (h->from.tier[0])
        put_node(field(f, "from"), &h->from);
    if (h->to.tier[0])
        put_node(field(f, "to"), &h->to);
    if (h->has_round)
        put_uint(field(f, "round"), h->round);
    if (h->n_clients > 0)
        put_ranges(field(f, "clients"), h->clients, h->n_clients);
    if (h->has_shape)
        put_shape(field(f, "shape"), h);
    if (h->type[0])
        put_text(field(f, "type"), h->type);
    if (h->samples)
        put_true(field(f, "samples"));
    if (header_has_quant(&h->quant))
        put_quant(field(f, "quant"), &h->quant);
    if (h->has_plan)
        put_bytes(field(f, "plan"), h->plan, sizeof h->plan);
    if (h->has_id)
        put_bytes(field(f, "id"), h->id, sizeof h->id);
    if (h->has_mix)
        put_bytes(field(f, "mix"), h->mix, sizeof h->mix);
    if (h->has_part)
        put_uint(field(f, "part"), h->part);
    if (h->last)
        put_true(field(f, "last"));
    if (h->seed)
        put_true(field(f, "seed"));
    for (size_t i = 0; i < h->n_extensions; i++)
        put_raw(field(f, h->extensions[i].name), h->extensions[i].value,
                h->extensions[i].len_bytes);
    f->starts[f->n] = f->out.len;
}

/* No encoded key is a prefix of another, so comparing entries bytewise orders them by key. */
static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return memcmp(x->bytes, y->bytes, x->len < y->len ? x->len : y->len);
}

static void put_sorted(struct out *o, const struct fields *f)
{
    struct entry entries[MAX_FIELDS];

    put_head(o, encode_map_start, f->n);
    for (size_t i = 0; i < f->n; i++)
        entries[i] = (struct entry){ f->out.bytes + f->starts[i], f->starts[i + 1] - f->starts[i] };
    qsort(entries, f->n, sizeof *entries, compare_entries);
    for (size_t i = 0; i < f->n; i++)
        put_raw(o, entries[i].bytes, entries[i].len);
}

int header_encode(const struct header *h, uint8_t **bytes, size_t *len_bytes, struct hagg_err *err)
{
    struct fields fields = { 0 };
    struct out sorted = { 0 };

    if (header_check(h, err))
        return -1;
    put_fields(&fields, h);
    if (!fields.out.failed)
        put_sorted(&sorted, &fields);
    free(fields.out.bytes);
    if (fields.out.failed || sorted.failed) {
        free(sorted.bytes);
        return err_errno(err, "cannot encode a header");
    }
    if (sorted.len > LIMIT_HEADER) {
        free(sorted.bytes);
        return err_set(err, HAGG_E_MALFORMED, "header would be larger than %u bytes", LIMIT_HEADER);
    }
    *bytes = sorted.bytes;
    *len_bytes = sorted.len;
    return 0;
}

size_t header_size(const struct header *h)
{
    struct fields fields = { .out = { .counts = true } };

    put_fields(&fields, h);
    return head_shortest(fields.n) + fields.out.len;
}
