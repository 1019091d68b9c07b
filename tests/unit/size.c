#include "size.h"

#include <stdlib.h>

#include "base/splitmix.h"
#include "check.h"
#include "sample.h"
#include "toy_seal.h"
#include "writer.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void knows_the_samples(void)
{
    struct header h;

    sample_vector_header(&h);
    CHECK(size_record(&h, 1, 3, false) == SAMPLE_VECTOR_BYTES);
    header_clear(&h);
    sample_share_header(&h);
    CHECK(header_size(&h) == SAMPLE_SHARE_HEADER_BYTES);
    CHECK(size_record(&h, 4, 5, false) == SAMPLE_SHARE_BYTES);
    header_clear(&h);
    sample_transfer_header(&h);
    CHECK(header_size(&h) == SAMPLE_TRANSFER_HEADER_BYTES);
    CHECK(size_record(&h, 4, 3, false) == SAMPLE_TRANSFER_BYTES);
    header_clear(&h);
}

/* Numbers worked out by hand: the fixed bytes are 6 and 17, the tag has 2, heads 1, 2, 3, 5 or 9.
 */
static void counts_by_hand(void)
{
    static const struct {
        uint64_t n_bytes, open, sealed;
    } cases[] = {
        { 0, 6 + 17 + 2 + 1, 6 + 17 + 2 + 18 + 34 + 1 + 16 },
        { 8, 6 + 17 + 2 + 1 + 8, 6 + 17 + 2 + 18 + 34 + 2 + 24 },
        { 23, 6 + 17 + 2 + 1 + 23, 6 + 17 + 2 + 18 + 34 + 2 + 39 },
        { 24, 6 + 17 + 2 + 2 + 24, 6 + 17 + 2 + 18 + 34 + 2 + 40 },
        { 255, 6 + 17 + 2 + 2 + 255, 6 + 17 + 2 + 18 + 34 + 3 + 271 },
        { 256, 6 + 17 + 2 + 3 + 256, 6 + 17 + 2 + 18 + 34 + 3 + 272 },
        { 65536, 6 + 17 + 2 + 5 + 65536, 6 + 17 + 2 + 18 + 34 + 5 + 65552 },
        { 65537, 6 + 17 + 2 + 5 + 65537, 6 + 17 + 2 + 18 + 34 + 5 + 65569 },
        { 1ull << 32, 6 + 17 + 2 + 9 + (1ull << 32), 6 + 17 + 2 + 18 + 34 + 9 + 65536 * 65552ull },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK(size_without_header(1, cases[i].n_bytes, false) == cases[i].open);
        CHECK(size_without_header(1, cases[i].n_bytes, true) == cases[i].sealed);
    }
    CHECK(size_elems(8, 1ull << 40) == 1ull << 43);
    CHECK(size_without_header(8, 64, false) == size_without_header(1, 64, false));
}

static uint64_t draw(uint64_t *state)
{
    uint64_t bits = splitmix_next(state) % 64;

    return splitmix_next(state) >> bits;
}

static uint32_t draw_number(uint64_t *state, uint32_t most)
{
    return (uint32_t)(draw(state) % most) + 1;
}

/* A header with random numbers in all keys that a share, a summand or a data record may have. */
struct drawn {
    struct header header;
    struct header_tier tiers[2];
    struct header_range clients[40], dealers[3], stations[3];
    uint32_t numbers[2][300], layout[3];
    uint64_t shape[3];
};

static size_t draw_ranges(struct header_range *ranges, size_t most, uint64_t *state)
{
    size_t n = 1 + splitmix_next(state) % most;
    uint64_t at = 0;

    for (size_t i = 0; i < n; i++) {
        ranges[i].first = (uint32_t)(at + draw_number(state, 50000000));
        ranges[i].last = ranges[i].first + draw_number(state, 50000) - 1;
        at = (uint64_t)ranges[i].last + 1;
    }
    return n;
}

static void draw_share(struct drawn *d, uint64_t *state)
{
    struct header *h = &d->header;
    uint32_t n = 2 + (uint32_t)(splitmix_next(state) % 200);

    h->kind = HEADER_SHARE;
    h->scheme =
        (struct header_scheme){ .n = n, .k = 2 + (uint32_t)(splitmix_next(state) % (n - 1)) };
    h->scheme.z = (uint32_t)(splitmix_next(state) % h->scheme.k);
    h->scheme.index = (uint32_t)(splitmix_next(state) % n);
    h->scheme.has_point = splitmix_next(state) & 1;
    h->scheme.point = draw(state);
    strcpy(h->scheme.name, splitmix_next(state) & 1 ? "ramp" : "staircase:missing=0.2");
    h->route = d->tiers;
    h->n_route = 1 + (splitmix_next(state) & 1);
    for (size_t i = 0; i < h->n_route; i++) {
        d->tiers[i] = (struct header_tier){ .numbers = d->numbers[i], .n_numbers = n };
        strcpy(d->tiers[i].name, i ? "relay" : "station");
        d->numbers[i][0] = draw_number(state, 1u << 31);
        for (uint32_t j = 1; j < n; j++)
            d->numbers[i][j] = d->numbers[i][j - 1] + draw_number(state, 1000000);
    }
    if (splitmix_next(state) & 1) {
        h->layout = d->layout;
        h->n_layout = 1 + splitmix_next(state) % 3;
        for (size_t i = 0; i < h->n_layout; i++)
            d->layout[i] = draw_number(state, 100);
    }
    if (splitmix_next(state) & 1)
        h->symbols = (struct header_symbols){ 0, draw_number(state, 65535) };
}

static struct header_quant draw_quant(uint64_t *state)
{
    uint32_t bits = 1 + (uint32_t)(splitmix_next(state) % 62);
    struct header_quant q = {
        .bits = bits > 1 ? bits : 0,
        .clip = (double)draw_number(state, 100000) / draw_number(state, 100000),
        .rounding = splitmix_next(state) & 1,
        .levels = bits > 1 ? 0 : 2 + draw(state) % (LIMIT_LEVELS - 1),
    };

    if (q.levels == 2)
        q.rounding = HEADER_SIGN;
    return q;
}

static void draw_header(struct drawn *d, uint64_t *state)
{
    static const char *const types[] = { "", "f4", "i8" };
    struct header *h = &d->header;

    *d = (struct drawn){ 0 };
    h->kind = splitmix_next(state) & 1 ? HEADER_VECTOR : HEADER_SUMMAND;
    h->secret = HEADER_PLAIN;
    strcpy(h->field, splitmix_next(state) & 1 ? "m31" : "prime:p=65521");
    h->samples = splitmix_next(state) & 1;
    h->has_shape = splitmix_next(state) & 1;
    h->length = h->samples + draw(state) % (1ull << 47);
    if (h->has_shape) {
        h->shape = d->shape;
        h->n_shape = 2;
        d->shape[0] = 1;
        d->shape[1] = h->length - h->samples;
    }
    strcpy(h->type, types[splitmix_next(state) % 3]);
    if (h->type[0] == 'f')
        h->quant = draw_quant(state);
    h->has_round = true;
    h->round = draw(state) % (1ull << 53);
    h->from = (struct header_node){ "relay", draw_number(state, UINT32_MAX) };
    h->to = (struct header_node){ "federator", 1 };
    h->clients = d->clients;
    h->n_clients = draw_ranges(d->clients, COUNT(d->clients), state);
    h->has_plan = true;
    h->has_mix = splitmix_next(state) & 1 && h->kind == HEADER_SUMMAND;
    if (h->kind == HEADER_SUMMAND) {
        h->stations = h->basis = d->stations;
        h->n_stations = h->n_basis = draw_ranges(d->stations, COUNT(d->stations), state);
        h->dealers = d->dealers;
        h->n_dealers = draw_ranges(d->dealers, COUNT(d->dealers), state);
    } else {
        h->has_id = splitmix_next(state) & 1;
        if (splitmix_next(state) & 1)
            draw_share(d, state);
    }
}

/* Thousands of headers, against the encoder. */
static void agrees_with_the_encoder(void)
{
    uint64_t state = 26;
    size_t n_valid = 0;

    for (size_t i = 0; i < 10000; i++) {
        struct hagg_err err = { 0 };
        struct drawn d;
        uint8_t *bytes;
        size_t n;

        draw_header(&d, &state);
        if (header_encode(&d.header, &bytes, &n, &err))
            continue; /* the layout may cut a vector into too many blocks */
        CHECK(header_size(&d.header) == n);
        free(bytes);
        n_valid++;
    }
    CHECK(n_valid > 8000);
}

/* The writer collects exactly as many bytes, sealed and not. */
static void agrees_with_the_writer(void)
{
    static const uint64_t lengths[] = { 0, 1, 5, 6, 63, 64, 16383, 16384, 16385, 40000 };
    unsigned char *elems = calloc(40000, 4);

    for (size_t i = 0; i < COUNT(lengths); i++)
        for (int sealed = 0; sealed < 2; sealed++) {
            struct hagg_err err = { 0 };
            struct writer *w = writer_new_memory("out", &err);
            struct toy_sealer toy;
            struct header h;

            toy_seal_sealer(&toy);
            writer_set_sealer(w, sealed ? &toy.base : NULL, NULL);
            sample_share_header(&h);
            CHECK(writer_begin(w, &h, 4, lengths[i], &err) == 0);
            CHECK(writer_elems(w, elems, lengths[i], &err) == 0 && writer_end(w, &err) == 0);
            CHECK(size_record(&h, 4, lengths[i], sealed) == writer_collected(w));
            CHECK(writer_size(w) == writer_collected(w));
            header_clear(&h);
            writer_free(w);
        }
    free(elems);
}

int main(void)
{
    knows_the_samples();
    counts_by_hand();
    agrees_with_the_encoder();
    agrees_with_the_writer();
    return check_end();
}
