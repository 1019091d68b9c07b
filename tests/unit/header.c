#include "header.h"

#include <math.h>
#include <stdlib.h>

#include "alloc.h"
#include "check.h"
#include "sample.h"

static void names_what_it_knows(void)
{
    CHECK_STR(header_kind_name(HEADER_VECTOR), "vector");
    CHECK_STR(header_kind_name(HEADER_SHARE), "share");
    CHECK_STR(header_kind_name(HEADER_TRANSFER), "transfer");
    CHECK_STR(header_kind_name(HEADER_ROSTER), "roster");
    CHECK_STR(header_kind_name(HEADER_SUMMAND), "summand");
    CHECK_STR(header_kind_name(HEADER_DATA), "data");
    CHECK(header_kind_name((enum header_kind)6) == NULL);
    CHECK_STR(header_secret_name(HEADER_PLAIN), "plain");
    CHECK_STR(header_secret_name(HEADER_PADDED), "padded");
    CHECK_STR(header_secret_name(HEADER_KEY), "key");
    CHECK_STR(header_secret_name(HEADER_MASK), "mask");
    CHECK(header_secret_name((enum header_secret)4) == NULL);
    CHECK_STR(header_rounding_name(HEADER_NEAREST), "nearest");
    CHECK_STR(header_rounding_name(HEADER_STOCHASTIC), "stochastic");
    CHECK(header_rounding_name((enum header_rounding)3) == NULL);
}

static void counts_clients(void)
{
    struct header_range all[] = { { 1, UINT32_MAX } }, some[] = { { 1, 1 }, { 3, 7 }, { 9, 10 } };
    struct header h = { .clients = some };

    CHECK(header_count_clients(&h) == 0);
    h.n_clients = 3;
    CHECK(header_count_clients(&h) == 8);
    h.clients = all;
    h.n_clients = 1;
    CHECK(header_count_clients(&h) == UINT32_MAX);
}

static void clears(void)
{
    struct header h, zero;

    memset(&zero, 0, sizeof zero);
    sample_share_header(&h);
    header_clear(&h);
    CHECK(h.route == NULL && h.clients == NULL && h.shape == NULL && h.extensions == NULL);
    CHECK(sample_equal(&h, &zero));
    header_clear(&h);
    sample_transfer_header(&h);
    header_clear(&h);
    CHECK(h.layout == NULL && sample_equal(&h, &zero));
}

enum { ROUTE_LONG = 9 };

/* Each spoils one thing of a share's header that was good. */
static void kind_unknown(struct header *h)
{
    h->kind = (enum header_kind)6;
}
static void secret_unknown(struct header *h)
{
    h->secret = (enum header_secret)4;
}
static void field_path(struct header *h)
{
    strcpy(h->field, "../x");
}
static void field_empty(struct header *h)
{
    h->field[0] = 0;
}
static void length_large(struct header *h)
{
    h->length = (1ull << 48) + 1;
    h->has_shape = false;
}
static void round_large(struct header *h)
{
    h->round = 1ull << 53;
}
static void shape_small(struct header *h)
{
    h->shape[0] = 1;
}
static void shape_without_samples(struct header *h)
{
    h->samples = false;
}
static void shape_wraps(struct header *h)
{
    h->shape[0] = 1ull << 48;
    h->shape[1] = 1ull << 48;
}
static void shape_deep(struct header *h)
{
    free(h->shape);
    h->shape = calloc(33, sizeof *h->shape);
    for (size_t i = 0; i < 33; i++)
        h->shape[i] = i == 0 ? 4 : 1;
    h->n_shape = 33;
}
static void samples_of_nothing(struct header *h)
{
    h->length = 0;
    h->has_shape = false;
}
static void vector_with_scheme(struct header *h)
{
    h->kind = HEADER_VECTOR;
}
static void vector_with_route(struct header *h)
{
    h->kind = HEADER_VECTOR;
    h->scheme.name[0] = 0;
}
static void share_without_scheme(struct header *h)
{
    h->scheme.name[0] = 0;
}
static void share_without_route(struct header *h)
{
    for (size_t i = 0; i < h->n_route; i++)
        free(h->route[i].numbers);
    h->n_route = 0;
}
static void scheme_capital(struct header *h)
{
    strcpy(h->scheme.name, "Ramp");
}
static void k_zero(struct header *h)
{
    h->scheme.k = h->scheme.z = 0;
}
static void k_above_n(struct header *h)
{
    h->scheme.k = 4;
}
static void z_is_k(struct header *h)
{
    h->scheme.z = 2;
}
static void index_is_n(struct header *h)
{
    h->scheme.index = 3;
}
static void n_large(struct header *h)
{
    h->scheme.n = 65536;
}
static void route_deep(struct header *h)
{
    struct header_tier *route = calloc(ROUTE_LONG, sizeof *route);

    for (size_t i = 0; i < ROUTE_LONG; i++) {
        route[i] = h->route[0];
        route[i].numbers = calloc(3, sizeof *route[i].numbers);
        memcpy(route[i].numbers, h->route[0].numbers, 3 * sizeof *route[i].numbers);
    }
    for (size_t i = 0; i < h->n_route; i++)
        free(h->route[i].numbers);
    free(h->route);
    h->route = route;
    h->n_route = ROUTE_LONG;
}
static void route_short(struct header *h)
{
    h->route[1].n_numbers = 2;
}
static void route_twice(struct header *h)
{
    h->route[1].numbers[0] = 4;
}
static void route_zero(struct header *h)
{
    h->route[0].numbers[1] = 0;
}
static void route_capital(struct header *h)
{
    strcpy(h->route[1].name, "Relay");
}
static void from_nobody(struct header *h)
{
    h->from.number = 0;
}
static void to_digit(struct header *h)
{
    strcpy(h->to.tier, "1st");
}
static void type_unknown(struct header *h)
{
    strcpy(h->type, "f2");
}
static void bits_one(struct header *h)
{
    h->quant.bits = 1;
}
static void bits_many(struct header *h)
{
    h->quant.bits = 63;
}
static void clip_zero(struct header *h)
{
    h->quant.clip = 0;
}
static void clip_negative(struct header *h)
{
    h->quant.clip = -1;
}
static void clip_infinite(struct header *h)
{
    h->quant.clip = (double)INFINITY;
}
static void clip_nan(struct header *h)
{
    h->quant.clip = (double)NAN;
}
static void rounding_unknown(struct header *h)
{
    h->quant.rounding = (enum header_rounding)3;
}
static void bits_and_levels(struct header *h)
{
    h->quant.levels = 2;
}
static void levels_one(struct header *h)
{
    h->quant = (struct header_quant){ .levels = 1, .clip = 1 };
}
static void levels_many(struct header *h)
{
    h->quant = (struct header_quant){ .levels = LIMIT_LEVELS + 1, .clip = 1 };
}
static void sign_of_bits(struct header *h)
{
    h->quant.rounding = HEADER_SIGN;
}
static void sign_of_levels(struct header *h)
{
    h->quant = (struct header_quant){ .levels = 3, .clip = 1, .rounding = HEADER_SIGN };
}
static void quant_of_integers(struct header *h)
{
    strcpy(h->type, "i4");
}
static void quant_of_elements(struct header *h)
{
    h->type[0] = 0;
}
static void clients_from_zero(struct header *h)
{
    h->clients[0].first = 0;
}
static void clients_backwards(struct header *h)
{
    h->clients[1].last = 6;
}
static void clients_touching(struct header *h)
{
    h->clients[1].first = 4;
}
static void clients_descending(struct header *h)
{
    h->clients[0].first = h->clients[0].last = 9;
}
static void clients_after_the_last(struct header *h)
{
    h->clients[0].last = UINT32_MAX;
}
static void extension_unmarked(struct header *h)
{
    strcpy(h->extensions[0].name, "note");
}
static void extension_nameless(struct header *h)
{
    strcpy(h->extensions[0].name, "x-");
}
static void extension_capital(struct header *h)
{
    strcpy(h->extensions[1].name, "x-Size");
}
static void extensions_many(struct header *h)
{
    struct header_extension *x = calloc(17, sizeof *x);

    for (size_t i = 0; i < 17; i++) {
        snprintf(x[i].name, sizeof x[i].name, "x-%zu", i);
        x[i].value = calloc(1, 1);
        x[i].len_bytes = 1;
    }
    for (size_t i = 0; i < h->n_extensions; i++)
        free(h->extensions[i].value);
    free(h->extensions);
    h->extensions = x;
    h->n_extensions = 17;
}

#define VECTOR_MESSAGE                                                                             \
    "'scheme', 'route', 'layout', 'symbols' and 'mix' belong to a share or transfer only"
#define QUANT_MESSAGE                                                                              \
    "'quant' needs bits from 2 to 62 or levels from 2 to 2^53, a finite clip "                     \
    "above 0 and a rounding"
#define CLIENTS_MESSAGE "'clients' must be ascending ranges with gaps between them, from 1 on"

static const struct {
    void (*spoil)(struct header *h);
    const char *message;
} spoils[] = {
    { kind_unknown, "unknown 'kind' or 'of'" },
    { secret_unknown, "unknown 'kind' or 'of'" },
    { field_path, "field '../x' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -" },
    { field_empty, "field '' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -" },
    { length_large, "'length' exceeds 2^48" },
    { round_large, "'round' exceeds 2^53 - 1" },
    { shape_small, "'shape' does not match the 'length'" },
    { shape_without_samples, "'shape' does not match the 'length'" },
    { shape_wraps, "'shape' does not match the 'length'" },
    { shape_deep, "'shape' has more than 32 dimensions" },
    { samples_of_nothing, "'samples' needs a 'length' of at least 1" },
    { vector_with_scheme, VECTOR_MESSAGE },
    { vector_with_route, VECTOR_MESSAGE },
    { share_without_scheme, "a share needs 'scheme' and 'route'" },
    { share_without_route, "a share needs 'scheme' and 'route'" },
    { scheme_capital, "'scheme' has an invalid name" },
    { k_zero, "'scheme' is inconsistent: n = 3, k = 0, z = 0, index = 1" },
    { k_above_n, "'scheme' is inconsistent: n = 3, k = 4, z = 1, index = 1" },
    { z_is_k, "'scheme' is inconsistent: n = 3, k = 2, z = 2, index = 1" },
    { index_is_n, "'scheme' is inconsistent: n = 3, k = 2, z = 1, index = 3" },
    { n_large, "'scheme' is inconsistent: n = 65536, k = 2, z = 1, index = 1" },
    { route_deep, "'route' has more than 8 tiers" },
    { route_short, "'route' has 2 holders in tier 'relay' for n = 3" },
    { route_twice, "'route' lists a holder twice, or holder 0, in tier 'relay'" },
    { route_zero, "'route' lists a holder twice, or holder 0, in tier 'station'" },
    { route_capital, "'route' names no valid tier" },
    { from_nobody, "'from' is not a valid node" },
    { to_digit, "'to' is not a valid node" },
    { type_unknown, "unknown 'type': 'f2'" },
    { bits_one, QUANT_MESSAGE },
    { bits_many, QUANT_MESSAGE },
    { clip_zero, QUANT_MESSAGE },
    { clip_negative, QUANT_MESSAGE },
    { clip_infinite, QUANT_MESSAGE },
    { clip_nan, QUANT_MESSAGE },
    { rounding_unknown, QUANT_MESSAGE },
    { bits_and_levels, QUANT_MESSAGE },
    { levels_one, QUANT_MESSAGE },
    { levels_many, QUANT_MESSAGE },
    { sign_of_bits, "'quant' with rounding 'sign' needs 2 levels" },
    { sign_of_levels, "'quant' with rounding 'sign' needs 2 levels" },
    { quant_of_integers, "'quant' needs a 'type' of f4 or f8" },
    { quant_of_elements, "'quant' needs a 'type' of f4 or f8" },
    { clients_from_zero, CLIENTS_MESSAGE },
    { clients_backwards, CLIENTS_MESSAGE },
    { clients_touching, CLIENTS_MESSAGE },
    { clients_descending, CLIENTS_MESSAGE },
    { clients_after_the_last, CLIENTS_MESSAGE },
    { extension_unmarked, "'note' is not a valid name for an extension" },
    { extension_nameless, "'x-' is not a valid name for an extension" },
    { extension_capital, "'x-Size' is not a valid name for an extension" },
    { extensions_many, "more than 16 extensions" },
};

static void refuses_what_does_not_fit(void)
{
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        struct hagg_err err = { 0 };
        struct header h;

        sample_share_header(&h);
        CHECK(header_check(&h, &err) == 0);
        spoils[i].spoil(&h);
        CHECK(header_check(&h, &err) == -1);
        CHECK(err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, spoils[i].message);
        header_clear(&h);
    }
}

/* Each is on the right side of a limit. */
static void accepts_the_limits(void)
{
    static const char *const types[] = {
        "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"
    };
    uint64_t shape[32] = { 1ull << 48, 1ull << 48, 0 };
    struct header h = { .field = "m31", .has_shape = true, .shape = shape, .n_shape = 3 };
    struct header_range clients[] = { { 1, 1 }, { 3, UINT32_MAX - 2 }, { UINT32_MAX, UINT32_MAX } };
    struct hagg_err err = { 0 };

    CHECK(header_check(&h, &err) == 0); /* a dimension of 0 outweighs all others */
    shape[2] = 1;
    CHECK(header_check(&h, &err) == -1);
    h.n_shape = 1;
    h.length = 1ull << 48;
    CHECK(header_check(&h, &err) == 0);
    for (size_t i = 0; i < 32; i++)
        shape[i] = i == 20 ? 1ull << 48 : 1;
    h.n_shape = 32;
    CHECK(header_check(&h, &err) == 0);
    h.samples = true; /* 2^48 + 1 elements */
    CHECK(header_check(&h, &err) == -1);
    shape[20]--;
    CHECK(header_check(&h, &err) == 0);
    h.n_shape = 0; /* a scalar and its samples */
    h.length = 2;
    CHECK(header_check(&h, &err) == 0);
    h.has_shape = false;
    h.round = (1ull << 53) - 1;
    h.clients = clients;
    h.n_clients = 3;
    CHECK(header_check(&h, &err) == 0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        strcpy(h.type, types[i]);
        CHECK(header_check(&h, &err) == 0);
    }
    strcpy(h.type, "f8");
    h.quant = (struct header_quant){ .bits = 62, .clip = 0x1p-1074 };
    CHECK(header_check(&h, &err) == 0);
    h.quant = (struct header_quant){ .bits = 2, .clip = 0x1.fffffffffffffp1023 };
    CHECK(header_check(&h, &err) == 0);
    h.quant = (struct header_quant){ .levels = LIMIT_LEVELS, .clip = 1 };
    CHECK(header_check(&h, &err) == 0);
    h.quant = (struct header_quant){ .levels = 2, .clip = 1, .rounding = HEADER_SIGN };
    CHECK(header_check(&h, &err) == 0);
}

/* One holder of everything, and nobody to hide it from. */
static void accepts_the_smallest_sharing(void)
{
    uint32_t number = UINT32_MAX;
    struct header_tier tier = { .name = "a", .numbers = &number, .n_numbers = 1 };
    struct header h = { .kind = HEADER_SHARE,
                        .field = "m31",
                        .scheme = { .name = "ramp", .n = 1, .k = 1, .z = 0, .index = 0 },
                        .route = &tier,
                        .n_route = 1 };
    struct hagg_err err = { 0 };

    CHECK(header_check(&h, &err) == 0);
}

/* 65535 holders in 8 tiers, in an order that no quick sort likes. */
static void accepts_the_largest_route(void)
{
    struct header h = {
        .kind = HEADER_SHARE,
        .field = "m31",
        .scheme = { .name = "ramp", .n = 65535, .k = 65535, .z = 65534, .index = 65534 },
        .n_route = 8,
    };
    struct hagg_err err = { 0 };

    h.route = calloc(8, sizeof *h.route);
    for (size_t i = 0; i < 8; i++) {
        strcpy(h.route[i].name, "sixteen-letters-");
        h.route[i].n_numbers = 65535;
        h.route[i].numbers = malloc(65535 * sizeof *h.route[i].numbers);
        for (uint32_t j = 0; j < 65535; j++)
            h.route[i].numbers[j] = i % 2 ? UINT32_MAX - j : 1 + j * 40507u % 65535;
    }
    CHECK(header_check(&h, &err) == 0);
    h.route[7].numbers[65534] = h.route[7].numbers[3];
    CHECK(header_check(&h, &err) == -1);
    alloc_refuse(0);
    CHECK(header_check(&h, &err) == -1 && err.status == HAGG_E_SYSTEM);
    alloc_watch();
    header_clear(&h);
}

int main(void)
{
    names_what_it_knows();
    counts_clients();
    clears();
    refuses_what_does_not_fit();
    accepts_the_limits();
    accepts_the_smallest_sharing();
    accepts_the_largest_route();
    return check_end();
}
