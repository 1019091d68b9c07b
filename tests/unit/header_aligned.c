#include "header.h"

#include <stdlib.h>

#include "check.h"

/* A mask of dealer 3 for station 5. */
static void sample_mask(struct header *h)
{
    *h = (struct header){
        .kind = HEADER_SHARE,
        .secret = HEADER_MASK,
        .field = "m31",
        .scheme = { .name = "aligned",
                    .n = 2,
                    .k = 2,
                    .z = 1,
                    .index = 1,
                    .has_point = true,
                    .point = 8 },
        .length = 9,
        .n_segments = 4,
        .chunks = 2,
        .n_route = 1,
        .n_blocks = 2,
        .n_dealers = 1,
    };
    h->route = calloc(1, sizeof *h->route);
    h->route[0] = (struct header_tier){ .name = "station", .n_numbers = 2 };
    h->route[0].numbers = calloc(2, sizeof *h->route[0].numbers);
    h->route[0].numbers[0] = 2;
    h->route[0].numbers[1] = 5;
    h->blocks = calloc(300, sizeof *h->blocks);
    h->blocks[0] = 2;
    h->blocks[1] = 3;
    h->dealers = calloc(2, sizeof *h->dealers);
    h->dealers[0] = (struct header_range){ 3, 3 };
}

/* A sum of masked shares. */
static void sample_sum(struct header *h)
{
    sample_mask(h);
    h->secret = HEADER_PLAIN;
    h->chunks = 0;
    h->dealers[0].last = 7;
    h->n_clients = 1;
    h->clients = calloc(1, sizeof *h->clients);
    h->clients[0] = (struct header_range){ 1, 9 };
}

static void survives(void (*sample)(struct header *h), uint64_t n_dealers)
{
    struct hagg_err err = { 0 };
    struct header h, again = { 0 };
    uint8_t *bytes = NULL;
    size_t n = 0, used = 0;

    sample(&h);
    CHECK(header_check(&h, &err) == 0);
    CHECK(header_encode(&h, &bytes, &n, &err) == 0);
    CHECK(header_decode(&again, bytes, n, &used, &err) == 1 && used == n);
    CHECK(again.secret == h.secret && again.n_segments == 4 && again.chunks == h.chunks);
    CHECK(again.n_blocks == 2 && again.blocks[0] == 2 && again.blocks[1] == 3);
    CHECK(again.n_dealers == 1 && header_count_dealers(&again) == n_dealers);
    header_clear(&again);
    /* every beginning of it is incomplete */
    for (size_t i = 0; i < n; i++) {
        CHECK(header_decode(&again, bytes, i, &used, &err) == 0);
        header_clear(&again);
    }
    free(bytes);
    header_clear(&h);
}

static void no_segments(struct header *h)
{
    h->n_segments = 0;
}

static void nothing_aligned(struct header *h)
{
    h->n_segments = h->chunks = 0;
    h->n_blocks = h->n_dealers = 0;
}

static void many_segments(struct header *h)
{
    h->n_segments = 65536;
}

static void no_blocks(struct header *h)
{
    h->n_blocks = 0;
}

static void many_blocks(struct header *h)
{
    h->n_blocks = 257;
    for (uint32_t i = 0; i < 257; i++)
        h->blocks[i] = i + 1;
}

static void equal_blocks(struct header *h)
{
    h->blocks[1] = 2;
}

static void block_of_none(struct header *h)
{
    h->blocks[0] = 0;
}

static void no_chunks(struct header *h)
{
    h->chunks = 0;
}

static void two_dealers(struct header *h)
{
    h->dealers[0].last = 4;
}

static void no_dealer(struct header *h)
{
    h->n_dealers = 0;
}

static void dealer_zero(struct header *h)
{
    h->dealers[0].first = 0;
}

static void has_clients(struct header *h)
{
    h->clients = calloc(1, sizeof *h->clients);
    h->clients[0] = (struct header_range){ 1, 1 };
    h->n_clients = 1;
}

static void of_a_key(struct header *h)
{
    h->secret = HEADER_KEY;
}

static void no_point(struct header *h)
{
    h->scheme.has_point = false;
}

static void has_layout(struct header *h)
{
    h->layout = calloc(1, sizeof *h->layout);
    h->layout[0] = 2;
    h->n_layout = 1;
}

static void of_a_vector(struct header *h)
{
    h->secret = HEADER_PLAIN;
}

#define NEEDS_SHARE                                                                                \
    "'segments' needs a share of a plain vector or of a mask, with a point and without a layout"
#define NEEDS_CHUNKS "'chunks' must be from 1 to 65535 in a mask, and absent elsewhere"
#define LIMITS       "'segments' must be at most 65535, with 1 to 256 numbers in 'blocks'"

static const struct {
    void (*spoil)(struct header *h);
    const char *message;
} spoils[] = {
    { no_segments, "'blocks', 'chunks' and 'dealers' need 'segments'" },
    { nothing_aligned, "a mask needs 'segments'" },
    { many_segments, LIMITS },
    { no_blocks, LIMITS },
    { many_blocks, LIMITS },
    { equal_blocks, "'blocks' must be ascending numbers from 1 to 65535" },
    { block_of_none, "'blocks' must be ascending numbers from 1 to 65535" },
    { no_chunks, NEEDS_CHUNKS },
    { of_a_vector, NEEDS_CHUNKS },
    { two_dealers, "a mask has one dealer and no clients" },
    { no_dealer, "a mask has one dealer and no clients" },
    { has_clients, "a mask has one dealer and no clients" },
    { dealer_zero, "'dealers' must be ascending ranges with gaps between them, from 1 on" },
    { of_a_key, NEEDS_SHARE },
    { no_point, NEEDS_SHARE },
    { has_layout, NEEDS_SHARE },
};

int main(void)
{
    survives(sample_mask, 1);
    survives(sample_sum, 5);
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        struct hagg_err err = { 0 };
        struct header h;

        sample_mask(&h);
        spoils[i].spoil(&h);
        CHECK(header_check(&h, &err) == -1 && err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, spoils[i].message);
        header_clear(&h);
    }
    return check_end();
}
