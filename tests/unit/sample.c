#include "sample.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

const uint8_t sample_vector[SAMPLE_VECTOR_BYTES] = {
    0xda, 0x48, 0x41, 0x47, 0x47, 0x83, 0xa5, 0x61, 0x76, 0x01, 0x62, 0x6f, 0x66, 0x65, 0x70,
    0x6c, 0x61, 0x69, 0x6e, 0x64, 0x6b, 0x69, 0x6e, 0x64, 0x66, 0x76, 0x65, 0x63, 0x74, 0x6f,
    0x72, 0x65, 0x66, 0x69, 0x65, 0x6c, 0x64, 0x65, 0x67, 0x66, 0x32, 0x35, 0x36, 0x66, 0x6c,
    0x65, 0x6e, 0x67, 0x74, 0x68, 0x03, 0xd8, 0x40, 0x43, 0x01, 0x02, 0xff, 0x50, 0xc0, 0xc2,
    0xce, 0x04, 0x9e, 0x94, 0xc1, 0x9b, 0x54, 0x62, 0x7e, 0xb1, 0x45, 0x81, 0x77, 0xb0,
};

const uint8_t sample_share[SAMPLE_SHARE_BYTES] = {
    0xda, 0x48, 0x41, 0x47, 0x47, 0x83, 0xb3, 0x61, 0x76, 0x01, 0x62, 0x69, 0x64, 0x50, 0xf0, 0xf1,
    0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff, 0x62, 0x6f,
    0x66, 0x66, 0x70, 0x61, 0x64, 0x64, 0x65, 0x64, 0x62, 0x74, 0x6f, 0x82, 0x67, 0x73, 0x74, 0x61,
    0x74, 0x69, 0x6f, 0x6e, 0x02, 0x64, 0x66, 0x72, 0x6f, 0x6d, 0x82, 0x66, 0x63, 0x6c, 0x69, 0x65,
    0x6e, 0x74, 0x03, 0x64, 0x6b, 0x69, 0x6e, 0x64, 0x65, 0x73, 0x68, 0x61, 0x72, 0x65, 0x64, 0x70,
    0x6c, 0x61, 0x6e, 0x50, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,
    0x0c, 0x0d, 0x0e, 0x0f, 0x64, 0x74, 0x79, 0x70, 0x65, 0x62, 0x66, 0x34, 0x65, 0x66, 0x69, 0x65,
    0x6c, 0x64, 0x63, 0x6d, 0x33, 0x31, 0x65, 0x71, 0x75, 0x61, 0x6e, 0x74, 0xa3, 0x64, 0x62, 0x69,
    0x74, 0x73, 0x10, 0x64, 0x63, 0x6c, 0x69, 0x70, 0xf9, 0x3e, 0x00, 0x68, 0x72, 0x6f, 0x75, 0x6e,
    0x64, 0x69, 0x6e, 0x67, 0x6a, 0x73, 0x74, 0x6f, 0x63, 0x68, 0x61, 0x73, 0x74, 0x69, 0x63, 0x65,
    0x72, 0x6f, 0x75, 0x6e, 0x64, 0x0c, 0x65, 0x72, 0x6f, 0x75, 0x74, 0x65, 0x82, 0x82, 0x67, 0x73,
    0x74, 0x61, 0x74, 0x69, 0x6f, 0x6e, 0x83, 0x01, 0x02, 0x05, 0x82, 0x65, 0x72, 0x65, 0x6c, 0x61,
    0x79, 0x83, 0x02, 0x01, 0x04, 0x65, 0x73, 0x68, 0x61, 0x70, 0x65, 0x82, 0x02, 0x02, 0x66, 0x6c,
    0x65, 0x6e, 0x67, 0x74, 0x68, 0x05, 0x66, 0x73, 0x63, 0x68, 0x65, 0x6d, 0x65, 0xa6, 0x61, 0x6b,
    0x02, 0x61, 0x6e, 0x03, 0x61, 0x7a, 0x01, 0x64, 0x6e, 0x61, 0x6d, 0x65, 0x64, 0x72, 0x61, 0x6d,
    0x70, 0x65, 0x69, 0x6e, 0x64, 0x65, 0x78, 0x01, 0x65, 0x70, 0x6f, 0x69, 0x6e, 0x74, 0x02, 0x66,
    0x78, 0x2d, 0x6e, 0x6f, 0x74, 0x65, 0x62, 0x68, 0x69, 0x66, 0x78, 0x2d, 0x73, 0x69, 0x7a, 0x65,
    0x1a, 0x00, 0x01, 0x11, 0x70, 0x67, 0x63, 0x6c, 0x69, 0x65, 0x6e, 0x74, 0x73, 0x84, 0x01, 0x03,
    0x07, 0x07, 0x67, 0x73, 0x61, 0x6d, 0x70, 0x6c, 0x65, 0x73, 0xf5, 0xd8, 0x46, 0x54, 0x01, 0x00,
    0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0xfe, 0xff, 0xff, 0x7f, 0x00, 0x00,
    0x00, 0x00, 0x50, 0x97, 0x18, 0xd1, 0xb8, 0xb5, 0xac, 0x0c, 0xf6, 0x7d, 0xe1, 0xe6, 0xc7, 0x94,
    0x58, 0xd1, 0xa3,
};

void sample_vector_header(struct header *h)
{
    *h = (struct header){ .kind = HEADER_VECTOR, .secret = HEADER_PLAIN, .length = 3 };
    strcpy(h->field, "gf256");
}

/* Memory that holds a copy; a test without memory may as well crash. */
static void *copy(const void *from, size_t n)
{
    return memcpy(malloc(n), from, n);
}

static void fill_route(struct header *h)
{
    static const uint32_t stations[] = { 1, 2, 5 }, relays[] = { 2, 1, 4 };

    h->n_route = 2;
    h->route = calloc(2, sizeof *h->route);
    strcpy(h->route[0].name, "station");
    h->route[0].numbers = copy(stations, sizeof stations);
    h->route[0].n_numbers = 3;
    strcpy(h->route[1].name, "relay");
    h->route[1].numbers = copy(relays, sizeof relays);
    h->route[1].n_numbers = 3;
}

static void fill_extensions(struct header *h)
{
    static const uint8_t note[] = { 0x62, 'h', 'i' }, size[] = { 0x1a, 0x00, 0x01, 0x11, 0x70 };

    h->n_extensions = 2;
    h->extensions = calloc(2, sizeof *h->extensions);
    strcpy(h->extensions[0].name, "x-note");
    h->extensions[0].value = copy(note, sizeof note);
    h->extensions[0].len_bytes = sizeof note;
    strcpy(h->extensions[1].name, "x-size");
    h->extensions[1].value = copy(size, sizeof size);
    h->extensions[1].len_bytes = sizeof size;
}

void sample_share_header(struct header *h)
{
    static const struct header_range clients[] = { { 1, 3 }, { 7, 7 } };
    static const uint64_t shape[] = { 2, 2 };

    *h = (struct header){
        .kind = HEADER_SHARE,
        .secret = HEADER_PADDED,
        .field = "m31",
        .scheme = { .name = "ramp", .n = 3, .k = 2, .z = 1, .index = 1, .has_point = true },
        .from = { "client", 3 },
        .to = { "station", 2 },
        .has_round = true,
        .round = 12,
        .length = 5,
        .has_shape = true,
        .n_shape = 2,
        .type = "f4",
        .samples = true,
        .quant = { .bits = 16, .clip = 1.5, .rounding = HEADER_STOCHASTIC },
        .n_clients = 2,
        .has_plan = true,
        .has_id = true,
    };
    h->scheme.point = 2;
    h->shape = copy(shape, sizeof shape);
    h->clients = copy(clients, sizeof clients);
    for (uint8_t i = 0; i < 16; i++) {
        h->plan[i] = i;
        h->id[i] = (uint8_t)(0xf0 + i);
    }
    fill_route(h);
    fill_extensions(h);
}

static bool equal_sharing(const struct header *a, const struct header *b)
{
    const struct header_scheme *x = &a->scheme, *y = &b->scheme;

    if (strcmp(x->name, y->name) || x->n != y->n || x->k != y->k || x->z != y->z ||
        x->index != y->index || x->has_point != y->has_point || x->point != y->point ||
        a->n_route != b->n_route)
        return false;
    for (size_t i = 0; i < a->n_route; i++)
        if (strcmp(a->route[i].name, b->route[i].name) ||
            a->route[i].n_numbers != b->route[i].n_numbers ||
            memcmp(a->route[i].numbers, b->route[i].numbers,
                   a->route[i].n_numbers * sizeof *a->route[i].numbers))
            return false;
    return true;
}

static bool equal_extensions(const struct header *a, const struct header *b)
{
    if (a->n_extensions != b->n_extensions)
        return false;
    for (size_t i = 0; i < a->n_extensions; i++)
        if (strcmp(a->extensions[i].name, b->extensions[i].name) ||
            a->extensions[i].len_bytes != b->extensions[i].len_bytes ||
            memcmp(a->extensions[i].value, b->extensions[i].value, a->extensions[i].len_bytes))
            return false;
    return true;
}

static bool equal_array(const struct header *a, const struct header *b)
{
    return a->length == b->length && a->has_shape == b->has_shape && a->n_shape == b->n_shape &&
           (a->n_shape == 0 || !memcmp(a->shape, b->shape, a->n_shape * sizeof *a->shape)) &&
           !strcmp(a->type, b->type) && a->samples == b->samples &&
           a->quant.bits == b->quant.bits && a->quant.clip == b->quant.clip &&
           a->quant.rounding == b->quant.rounding;
}

bool sample_equal(const struct header *a, const struct header *b)
{
    return a->kind == b->kind && a->secret == b->secret && !strcmp(a->field, b->field) &&
           equal_sharing(a, b) && equal_array(a, b) && equal_extensions(a, b) &&
           !strcmp(a->from.tier, b->from.tier) && a->from.number == b->from.number &&
           !strcmp(a->to.tier, b->to.tier) && a->to.number == b->to.number &&
           a->has_round == b->has_round && a->round == b->round && a->n_clients == b->n_clients &&
           (a->n_clients == 0 ||
            !memcmp(a->clients, b->clients, a->n_clients * sizeof *a->clients)) &&
           a->has_plan == b->has_plan && !memcmp(a->plan, b->plan, 16) && a->has_id == b->has_id &&
           !memcmp(a->id, b->id, 16);
}

/* A head in its shortest form. */
static size_t put_head(uint8_t *p, unsigned major, uint64_t value)
{
    unsigned width = value < 24 ? 0 : value < 256 ? 1 : value < 65536 ? 2 : value >> 32 ? 8 : 4;
    unsigned info = width == 0 ? (unsigned)value : width == 1 ? 24 : width == 2 ? 25 : 26;

    p[0] = (uint8_t)(major << 5 | (width == 8 ? 27 : info));
    for (unsigned i = 0; i < width; i++)
        p[1 + i] = (uint8_t)(value >> 8 * (width - 1 - i));
    return 1 + width;
}

uint8_t *sample_record(const void *header, size_t n_header, unsigned tag, const void *payload,
                       size_t n_payload, size_t *len_bytes)
{
    static const uint8_t start[] = { 0xda, 0x48, 0x41, 0x47, 0x47, 0x83 };
    uint8_t *bytes = malloc(sizeof start + n_header + n_payload + 64), *p = bytes;
    XXH128_canonical_t digest;

    p = (uint8_t *)mempcpy(p, start, sizeof start);
    p = (uint8_t *)mempcpy(p, header, n_header);
    p += put_head(p, 6, tag);
    p += put_head(p, 2, n_payload);
    if (n_payload > 0)
        p = (uint8_t *)mempcpy(p, payload, n_payload);
    XXH128_canonicalFromHash(
        &digest, XXH3_128bits(bytes + sizeof start, (size_t)(p - bytes) - sizeof start));
    p += put_head(p, 2, 16);
    p = (uint8_t *)mempcpy(p, digest.digest, 16);
    *len_bytes = (size_t)(p - bytes);
    return bytes;
}

size_t sample_plain_header(uint8_t *bytes, const char *field, uint64_t length)
{
    /* a map of five: v 1, of plain, kind vector, field */
    static const uint8_t start[] = "\xa5\x61v\x01\x62of\x65plain\x64kind\x66vector\x65"
                                   "field";
    uint8_t *p = (uint8_t *)mempcpy(bytes, start, sizeof start - 1);

    p += put_head(p, 3, strlen(field));
    p = (uint8_t *)mempcpy(p, field, strlen(field));
    p = (uint8_t *)mempcpy(p, "\x66length", 7);
    p += put_head(p, 0, length);
    return (size_t)(p - bytes);
}
