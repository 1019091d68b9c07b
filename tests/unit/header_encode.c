#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "header.h"

#include "alloc.h"
#include "check.h"
#include "hex.h"
#include "sample.h"

/* 16 bytes 0xab */
#define AB_16 "abababababababababababababababab"

#define ENCODES_TO(h, want, n) encodes_to(h, want, n, __LINE__)

static void encodes_to(const struct header *h, const uint8_t *want, size_t n_want, int line)
{
    struct hagg_err err = { 0 };
    uint8_t *bytes = NULL;
    size_t n = 0;

    if (!CHECK(header_encode(h, &bytes, &n, &err) == 0))
        return;
    check_that(n == n_want && memcmp(bytes, want, n) == 0, __FILE__, line, "encodes to");
    free(bytes);
}

static void encodes_the_samples(void)
{
    struct header h;

    sample_vector_header(&h);
    ENCODES_TO(&h, sample_vector + 6, 45);
    header_clear(&h);
    sample_share_header(&h);
    ENCODES_TO(&h, sample_share_header_bytes, SAMPLE_SHARE_HEADER_BYTES);
    header_clear(&h);
    sample_transfer_header(&h);
    ENCODES_TO(&h, sample_transfer_header_bytes, SAMPLE_TRANSFER_HEADER_BYTES);
    header_clear(&h);
}

/* Keys are sorted by length, then by letters, whatever order the extensions come in. */
static void sorts_extensions(void)
{
    static const char *const names[] = { "x-zz", "x-b", "x-aaaaa", "x-a", "x-c1" };
    struct header_extension x[5];
    struct header h = { .field = "m31", .extensions = x, .n_extensions = 5 };
    uint8_t zero[] = { 0x00 }, want[200];
    size_t n;

    for (size_t i = 0; i < 5; i++) {
        strcpy(x[i].name, names[i]);
        x[i].value = zero;
        x[i].len_bytes = 1;
    }
    n = hex_bytes(want, "aa 617602 626f6665706c61696e 63782d6100 63782d6200 "
                        "646b696e6466766563746f72 64782d633100 64782d7a7a00 "
                        "656669656c64636d3331 666c656e67746800 67782d616161616100");
    ENCODES_TO(&h, want, n);
}

/* The number at the end of a header of nothing but "length" is the last of its bytes. */
static void writes_integers_in_their_shortest_form(void)
{
    static const struct {
        uint64_t value;
        const char *hex;
    } border[] = {
        { 0, "00" },
        { 23, "17" },
        { 24, "1818" },
        { 255, "18ff" },
        { 256, "190100" },
        { 65535, "19ffff" },
        { 65536, "1a00010000" },
        { 4294967295, "1affffffff" },
        { 4294967296, "1b0000000100000000" },
        { 1ull << 48, "1b0001000000000000" },
    };

    for (size_t i = 0; i < sizeof border / sizeof *border; i++) {
        struct header h = { .field = "m31", .length = border[i].value };
        uint8_t want[80];
        size_t n = hex_bytes(want, "a5617602626f6665706c61696e646b696e6466766563746f72"
                                   "656669656c64636d3331666c656e677468");

        n += hex_bytes(want + n, border[i].hex);
        ENCODES_TO(&h, want, n);
    }
}

/* Five fields that every header has, one more, and the key and value of that one. */
static void encodes_one_more(const struct header *h, size_t at, const char *hex, int line)
{
    static const char *const before[] = { "617602", "626f6665706c61696e",
                                          "646b696e6466766563746f72", "656669656c64636d3331",
                                          "666c656e67746803" };
    uint8_t want[600];
    size_t n = hex_bytes(want, "a6");

    for (size_t i = 0; i < 5; i++) {
        if (i == at)
            n += hex_bytes(want + n, hex);
        n += hex_bytes(want + n, before[i]);
    }
    if (at == 5)
        n += hex_bytes(want + n, hex);
    encodes_to(h, want, n, line);
}

static void encodes_each_field_alone(void)
{
    struct header_range clients[] = { { 1, 1 }, { 3, UINT32_MAX } };
    struct header base = { .field = "m31", .length = 3 }, h = base;
    uint64_t shape[] = { 3, 1 };

    h.has_round = true;
    encodes_one_more(&h, 4, "65726f756e6400", __LINE__);
    h.round = (1ull << 53) - 1;
    encodes_one_more(&h, 4, "65726f756e641b001fffffffffffff", __LINE__);
    h = base;
    h.from = (struct header_node){ "client", 24 };
    encodes_one_more(&h, 2, "6466726f6d8266636c69656e741818", __LINE__);
    h = base;
    h.to = (struct header_node){ "federator", 1 };
    encodes_one_more(&h, 2, "62746f8269666564657261746f7201", __LINE__);
    h = base;
    h.clients = clients;
    h.n_clients = 2;
    encodes_one_more(&h, 5, "67636c69656e7473840101031affffffff", __LINE__);
    h = base;
    h.has_shape = true;
    h.shape = shape;
    h.n_shape = 2;
    encodes_one_more(&h, 4, "657368617065820301", __LINE__);
    h = base;
    strcpy(h.type, "u8");
    encodes_one_more(&h, 3, "6474797065627538", __LINE__);
    h = base;
    h.samples = true;
    encodes_one_more(&h, 5, "6773616d706c6573f5", __LINE__);
    h = base;
    h.has_plan = true;
    memset(h.plan, 0xab, sizeof h.plan);
    encodes_one_more(&h, 3, "64706c616e5820" AB_16 AB_16, __LINE__);
    h = base;
    h.has_id = true;
    encodes_one_more(&h, 1, "6269645000000000000000000000000000000000", __LINE__);
}

/* Kind, secret and the scheme without a point. */
static void encodes_a_share_without_a_point(void)
{
    uint32_t numbers[] = { 7, 300 };
    struct header_tier route[] = { { "station", numbers, 2 } };
    struct header h = {
        .kind = HEADER_SHARE,
        .secret = HEADER_KEY,
        .field = "gf256",
        .scheme = { .name = "additive", .n = 2, .k = 2, .z = 1, .index = 0, .point = 99 },
        .route = route,
        .n_route = 1,
    };
    uint8_t want[200];
    size_t n =
        hex_bytes(want, "a7 617602 626f66636b6579 646b696e64657368617265 "
                        "656669656c64656766323536 65726f7574658182 6773746174696f6e 820719012c "
                        "666c656e67746800 66736368656d65a5 616b02 616e02 617a01 "
                        "646e616d65686164646974697665 65696e64657800");

    ENCODES_TO(&h, want, n);
    h.secret = HEADER_PADDED;
    n = hex_bytes(want,
                  "a7 617602 626f6666706164646564 646b696e64657368617265 "
                  "656669656c64656766323536 65726f7574658182 6773746174696f6e 820719012c "
                  "666c656e67746800 66736368656d65a6 616b02 616e02 617a01 "
                  "646e616d65686164646974697665 65696e64657800 65706f696e741bffffffffffffffff");
    h.scheme.has_point = true;
    h.scheme.point = UINT64_MAX;
    ENCODES_TO(&h, want, n);
}

/* Bytes by hand: source, carrier, layout and mix each where its key sorts. */
static void encodes_a_transfer(void)
{
    uint32_t numbers[] = { 7 }, layout[] = { 24 };
    struct header_tier route[] = { { "a", numbers, 1 } };
    struct header h = {
        .kind = HEADER_TRANSFER,
        .field = "gf256",
        .scheme = { .name = "s", .n = 1, .k = 1 },
        .source = { .name = "t", .n = 2, .k = 2, .z = 1, .index = 1 },
        .route = route,
        .n_route = 1,
    };
    uint8_t want[200];
    size_t n =
        hex_bytes(want, "a8 617602 626f6665706c61696e 646b696e64687472616e73666572 "
                        "656669656c64656766323536 65726f7574658182 6161 8107 "
                        "666c656e67746800 66736368656d65a5 616b01 616e01 617a00 "
                        "646e616d656173 65696e64657800 66736f75726365a5 616b02 616e02 617a01 "
                        "646e616d656174 65696e64657801");

    ENCODES_TO(&h, want, n);
    h.source.name[0] = 0;
    h.has_carrier = true;
    h.layout = layout;
    h.n_layout = 1;
    h.has_mix = true;
    n = hex_bytes(want, "aa 617602 626f6665706c61696e 636d697850 00000000000000000000000000000000 "
                        "646b696e64687472616e73666572 656669656c64656766323536 65726f7574658182 "
                        "6161 8107 666c61796f7574811818 666c656e67746800 66736368656d65a5 616b01 "
                        "616e01 617a00 646e616d656173 65696e64657800 676361727269657200");
    ENCODES_TO(&h, want, n);
}

static void encodes_a_roster(void)
{
    struct header_range clients[] = { { 1, 4 }, { 6, 6 } };
    struct header h = {
        .kind = HEADER_ROSTER,
        .has_plan = true,
        .has_round = true,
        .round = 12,
        .from = { "federator", 1 },
        .clients = clients,
        .n_clients = 2,
    };
    uint8_t want[200];
    size_t n;

    memset(h.plan, 0xab, sizeof h.plan);
    n = hex_bytes(want, "a6 617602 6466726f6d8269666564657261746f7201 646b696e6466726f73746572 "
                        "64706c616e5820" AB_16 AB_16 " 65726f756e640c "
                        "67636c69656e74738401040606");
    ENCODES_TO(&h, want, n);
}

/* The bytes of the clip in the header's encoding; how many. */
static size_t encode_clip(double clip, uint8_t *out)
{
    struct header h = { .field = "m31", .type = "f8", .quant = { .bits = 16, .clip = clip } };
    static const uint8_t key[] = { 0x64, 'c', 'l', 'i', 'p' };
    static const uint8_t next[] = { 0x68, 'r', 'o', 'u', 'n', 'd', 'i', 'n', 'g' };
    struct hagg_err err = { 0 };
    uint8_t *bytes, *begin, *end;
    size_t n;

    if (header_encode(&h, &bytes, &n, &err))
        return 0;
    begin = (uint8_t *)memmem(bytes, n, key, sizeof key) + sizeof key;
    end = (uint8_t *)memmem(bytes, n, next, sizeof next);
    memcpy(out, begin, (size_t)(end - begin));
    free(bytes);
    return (size_t)(end - begin);
}

/* Every finite number above 0 that half precision has, by the formula of IEEE 754. */
static void writes_every_half(void)
{
    for (unsigned bits = 1; bits < 0x7c00; bits++) {
        unsigned exponent = bits >> 10, digits = bits & 0x3ff;
        double value =
            exponent == 0 ? ldexp(digits, -24) : ldexp(1024 + digits, (int)exponent - 25);
        uint8_t got[16];

        CHECK(encode_clip(value, got) == 3);
        CHECK(got[0] == 0xf9 && got[1] == bits >> 8 && got[2] == (bits & 0xff));
    }
}

/* Numbers that half precision just does not have, and those beyond single precision. Expected bytes
 * by Python's struct. */
static void writes_other_floats(void)
{
    static const struct {
        double value;
        const char *hex;
    } wider[] = {
        { 0x1p-25, "fa33000000" },           { 0x1.8p-24, "fa33c00000" },
        { 0x1.002p0, "fa3f801000" },         { 65520.0, "fa477ff000" },
        { 65536.0, "fa47800000" },           { 0x1p-149, "fa00000001" },
        { (double)FLT_MAX, "fa7f7fffff" },   { 0x1.fffffffp127, "fb47efffffff000000" },
        { 0x1p128, "fb47f0000000000000" },   { 0x1p-150, "fb3690000000000000" },
        { 0.1, "fb3fb999999999999a" },       { 1.1, "fb3ff199999999999a" },
        { 0x1p-1074, "fb0000000000000001" }, { DBL_MAX, "fb7fefffffffffffff" },
    };

    for (size_t i = 0; i < sizeof wider / sizeof *wider; i++) {
        uint8_t got[16], want[16];
        size_t n = hex_bytes(want, wider[i].hex);

        CHECK(encode_clip(wider[i].value, got) == n);
        CHECK(memcmp(got, want, n) == 0);
    }
}

/* A header of 2^20 bytes is the largest: many ranges, and an extension to fill up. */
static void keeps_to_a_mebibyte(void)
{
    enum { RANGES = 104800 };
    struct header_range *clients = malloc(RANGES * sizeof *clients);
    uint8_t value[1027];
    struct header_extension x = { .name = "x-a", .value = value };
    struct header h = {
        .field = "m31", .clients = clients, .n_clients = RANGES, .extensions = &x, .n_extensions = 1
    };
    struct hagg_err err = { 0 };
    uint8_t *bytes;
    size_t n, filler = 256;

    /* numbers from 2^16 on have five bytes */
    for (uint32_t i = 0; i < RANGES; i++)
        clients[i].first = clients[i].last = 65536 + 2 * i;
    memset(value, 0, sizeof value);
    value[0] = 0x59;
    for (int round = 0; round < 2; round++) {
        value[1] = (uint8_t)(filler >> 8);
        value[2] = (uint8_t)filler;
        x.len_bytes = 3 + filler;
        CHECK(header_encode(&h, &bytes, &n, &err) == 0);
        free(bytes);
        filler += (1u << 20) - n;
    }
    CHECK(n == 1u << 20 && filler <= 1024);
    filler++;
    value[1] = (uint8_t)(filler >> 8);
    value[2] = (uint8_t)filler;
    x.len_bytes = 3 + filler;
    CHECK(header_encode(&h, &bytes, &n, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text, "header would be larger than 1048576 bytes");
    free(clients);
}

static void refuses_what_check_refuses(void)
{
    struct header h = { .field = "M31" };
    struct hagg_err err = { 0 };
    uint8_t *bytes;
    size_t n;

    CHECK(header_encode(&h, &bytes, &n, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text,
              "field 'M31' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -");
}

static void fails_cleanly_without_memory(void)
{
    unsigned long at = 0;
    struct header h;

    sample_share_header(&h);
    for (;; at++) {
        struct hagg_err err = { 0 };
        uint8_t *bytes = NULL;
        size_t n;
        int status;

        alloc_refuse(at);
        status = header_encode(&h, &bytes, &n, &err);
        if (!alloc_refused()) {
            CHECK(status == 0);
            free(bytes);
            break;
        }
        CHECK(status == -1 && err.status == HAGG_E_SYSTEM);
    }
    CHECK(at >= 4);
    alloc_watch();
    header_clear(&h);
}

int main(void)
{
    encodes_the_samples();
    sorts_extensions();
    writes_integers_in_their_shortest_form();
    encodes_each_field_alone();
    encodes_a_share_without_a_point();
    encodes_a_transfer();
    encodes_a_roster();
    writes_every_half();
    writes_other_floats();
    keeps_to_a_mebibyte();
    refuses_what_check_refuses();
    fails_cleanly_without_memory();
    return check_end();
}
