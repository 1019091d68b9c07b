#include "header.h"

#include <stdlib.h>

#include "check.h"
#include "sample.h"

/* Each spoils one thing of a transfer's header that was good. */
static void without_scheme(struct header *h)
{
    h->scheme.name[0] = 0;
}
static void without_route(struct header *h)
{
    free(h->route[--h->n_route].numbers);
}
static void without_source_and_carrier(struct header *h)
{
    h->source.name[0] = 0;
    h->has_carrier = false;
}
static void source_capital(struct header *h)
{
    strcpy(h->source.name, "Ramp");
}
static void source_k_above_n(struct header *h)
{
    h->source.k = 6;
}
static void source_z_is_k(struct header *h)
{
    h->source.z = 4;
}
static void source_index_is_n(struct header *h)
{
    h->source.index = 5;
}
static void source_n_large(struct header *h)
{
    h->source.n = 65536;
}
static void carrier_is_n(struct header *h)
{
    h->carrier = 3;
}
static void carrier_is_n_of_the_source(struct header *h)
{
    h->carrier = 4;
    h->source.n = 9;
}
static void layout_zero(struct header *h)
{
    h->layout[1] = 0;
}
static void layout_wide(struct header *h)
{
    h->layout[0] = 65536;
}
static void blocks_many(struct header *h)
{
    h->layout[0] = 1024;
    h->layout[1] = 1025;
}
static void set_layout(struct header *h, size_t n_layout, uint32_t parts)
{
    free(h->layout);
    h->layout = malloc(n_layout * sizeof *h->layout);
    h->n_layout = n_layout;
    for (size_t i = 0; i < n_layout; i++)
        h->layout[i] = parts;
}
static void blocks_wrap(struct header *h)
{
    set_layout(h, 8, 256);
}
static void layout_deep(struct header *h)
{
    set_layout(h, 9, 1);
}
static void share_with_source(struct header *h)
{
    h->kind = HEADER_SHARE;
    h->has_carrier = false;
}
static void share_with_carrier(struct header *h)
{
    h->kind = HEADER_SHARE;
    h->source.name[0] = 0;
}

/* All that a vector may not have. */
static void be_a_vector(struct header *h)
{
    without_route(h);
    without_source_and_carrier(h);
    h->kind = HEADER_VECTOR;
    h->scheme.name[0] = 0;
    h->n_layout = 0;
    h->has_mix = false;
}
static void vector_with_layout(struct header *h)
{
    be_a_vector(h);
    h->n_layout = 1;
}
static void vector_with_mix(struct header *h)
{
    be_a_vector(h);
    h->has_mix = true;
}
static void vector_with_source(struct header *h)
{
    be_a_vector(h);
    h->source.name[0] = 'r';
}
static void vector_with_carrier(struct header *h)
{
    be_a_vector(h);
    h->has_carrier = true;
}

#define VECTOR_MESSAGE                                                                             \
    "'scheme', 'route', 'layout', 'symbols' and 'mix' belong to a share or transfer only"
#define TRANSFER_MESSAGE "'source' and 'carrier' belong to a transfer only"

static const struct {
    void (*spoil)(struct header *h);
    const char *message;
} spoils[] = {
    { without_scheme, "a transfer needs 'scheme' and 'route'" },
    { without_route, "a transfer needs 'scheme' and 'route'" },
    { without_source_and_carrier, "a transfer needs 'source' or 'carrier'" },
    { source_capital, "'source' has an invalid name" },
    { source_k_above_n, "'source' is inconsistent: n = 5, k = 6, z = 1, index = 3" },
    { source_z_is_k, "'source' is inconsistent: n = 5, k = 4, z = 4, index = 3" },
    { source_index_is_n, "'source' is inconsistent: n = 5, k = 4, z = 1, index = 5" },
    { source_n_large, "'source' is inconsistent: n = 65536, k = 4, z = 1, index = 3" },
    { carrier_is_n, "'carrier' is 3, but must be less than n = 3" },
    { carrier_is_n_of_the_source, "'carrier' is 4, but must be less than n = 3" },
    { layout_zero, "'layout' has a number that is not from 1 to 65535" },
    { layout_wide, "'layout' has a number that is not from 1 to 65535" },
    { blocks_many, "'layout' has more than 2^20 blocks" },
    { blocks_wrap, "'layout' has more than 2^20 blocks" },
    { layout_deep, "'layout' has more than 8 numbers" },
    { share_with_source, TRANSFER_MESSAGE },
    { share_with_carrier, TRANSFER_MESSAGE },
    { vector_with_source, TRANSFER_MESSAGE },
    { vector_with_carrier, TRANSFER_MESSAGE },
    { vector_with_layout, VECTOR_MESSAGE },
    { vector_with_mix, VECTOR_MESSAGE },
};

static void refuses_what_does_not_fit(void)
{
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        struct hagg_err err = { 0 };
        struct header h;

        sample_transfer_header(&h);
        CHECK(header_check(&h, &err) == 0);
        spoils[i].spoil(&h);
        CHECK(header_check(&h, &err) == -1);
        CHECK(err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, spoils[i].message);
        header_clear(&h);
    }
}

/* A source, a carrier or both; a layout and a mix in a share; and the limits. */
static void accepts_what_fits(void)
{
    struct hagg_err err = { 0 };
    struct header h;

    sample_transfer_header(&h);
    h.has_carrier = false;
    CHECK(header_check(&h, &err) == 0);
    h.source.name[0] = 0;
    h.has_carrier = true;
    h.carrier = 2;
    CHECK(header_check(&h, &err) == 0);
    h.carrier = 0;
    CHECK(header_check(&h, &err) == 0);
    h.kind = HEADER_SHARE;
    h.has_carrier = false;
    CHECK(header_check(&h, &err) == 0);
    h.layout[0] = 65535;
    h.layout[1] = 16;
    CHECK(header_check(&h, &err) == 0);
    h.layout[0] = h.layout[1] = 1024;
    CHECK(header_check(&h, &err) == 0);
    set_layout(&h, 8, 5); /* 390625 */
    CHECK(header_check(&h, &err) == 0);
    set_layout(&h, 8, 1);
    CHECK(header_check(&h, &err) == 0);
    h.n_layout = 0;
    CHECK(header_check(&h, &err) == 0);
    be_a_vector(&h);
    CHECK(header_check(&h, &err) == 0);
    header_clear(&h);
}

int main(void)
{
    refuses_what_does_not_fit();
    accepts_what_fits();
    return check_end();
}
