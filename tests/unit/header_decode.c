#include <math.h>
#include <stdlib.h>

#include "header.h"

#include "alloc.h"
#include "check.h"
#include "hex.h"
#include "sample.h"

/* Decodes exactly n bytes, in memory of their own so that reading beyond them is noticed. */
static int decode(struct header *h, const uint8_t *bytes, size_t n, size_t *used,
                  struct hagg_err *err)
{
    uint8_t *copy = malloc(n + (n == 0));
    int got;

    memcpy(copy, bytes, n);
    *h = (struct header){ 0 };
    *err = (struct hagg_err){ 0 };
    got = header_decode(h, copy, n, used, err);
    free(copy);
    return got;
}

static void understands_the_samples(void)
{
    struct header h, want;
    struct hagg_err err;
    size_t used = 0;

    CHECK(decode(&h, sample_vector + 6, SAMPLE_VECTOR_BYTES - 6, &used, &err) == 1);
    CHECK(used == 45);
    sample_vector_header(&want);
    CHECK(sample_equal(&h, &want));
    header_clear(&h);
    CHECK(decode(&h, sample_share_header_bytes, SAMPLE_SHARE_HEADER_BYTES, &used, &err) == 1);
    CHECK(used == SAMPLE_SHARE_HEADER_BYTES);
    sample_share_header(&want);
    CHECK(sample_equal(&h, &want));
    header_clear(&want);
    header_clear(&h);
    CHECK(decode(&h, sample_transfer_header_bytes, SAMPLE_TRANSFER_HEADER_BYTES, &used, &err) == 1);
    CHECK(used == SAMPLE_TRANSFER_HEADER_BYTES);
    sample_transfer_header(&want);
    CHECK(sample_equal(&h, &want));
    header_clear(&want);
    header_clear(&h);
}

/* The headers that have all fields between them. */
static const struct {
    const uint8_t *bytes;
    size_t n;
    void (*fill)(struct header *h);
} samples[] = {
    { sample_share_header_bytes, SAMPLE_SHARE_HEADER_BYTES, sample_share_header },
    { sample_transfer_header_bytes, SAMPLE_TRANSFER_HEADER_BYTES, sample_transfer_header },
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

/* A part of a header is neither accepted nor refused, wherever it ends. */
static void waits_for_the_rest(void)
{
    for (size_t i = 0; i < N_SAMPLES; i++)
        for (size_t n = 0; n < samples[i].n; n++) {
            struct hagg_err err;
            struct header h;
            size_t used;

            CHECK(decode(&h, samples[i].bytes, n, &used, &err) == 0);
            CHECK(err.status == HAGG_OK);
            header_clear(&h);
        }
}

/* A flipped bit is refused or changes what the header says, and what it then says has exactly those
 * bytes as its encoding. */
static void notices_every_bit_of(size_t sample)
{
    size_t n_bytes = samples[sample].n;
    struct header want;
    unsigned long n_refused = 0;

    samples[sample].fill(&want);
    for (size_t bit = 0; bit < 8 * n_bytes; bit++) {
        uint8_t bytes[SAMPLE_SHARE_HEADER_BYTES], *again = NULL;
        struct hagg_err err;
        struct header h;
        size_t used = 0, n = 0;
        int got;

        memcpy(bytes, samples[sample].bytes, n_bytes);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        got = decode(&h, bytes, n_bytes, &used, &err);
        if (got == 1) {
            CHECK(!sample_equal(&h, &want));
            CHECK(header_encode(&h, &again, &n, &err) == 0);
            CHECK(n == used && memcmp(again, bytes, n) == 0);
            free(again);
        } else {
            CHECK(got == 0 || err.status == HAGG_E_MALFORMED);
            n_refused++;
        }
        header_clear(&h);
    }
    /* at least all flips in keys and in heads of strings */
    CHECK(n_refused > 8 * n_bytes / 2);
    header_clear(&want);
}

static void notices_every_bit(void)
{
    for (size_t i = 0; i < N_SAMPLES; i++)
        notices_every_bit_of(i);
}

/* What every header has, in order, and a place for one more field between any two of them. */
#define V      "617602"
#define OF     "626f6665706c61696e"
#define KIND   "646b696e6466766563746f72"
#define FIELD  "656669656c64636d3331"
#define LENGTH "666c656e67746803"

#define BAD(field, what) "field '" field "' of the header " what
#define ENCODING(byte)   "header is not in deterministic encoding, from its byte " byte " on"

static const struct {
    const char *hex;
    const char *message;
} wrong[] = {
    { "80", BAD("v", "must be a map") },
    { "a0", BAD("v", "is missing") },
    { "bf", BAD("v", "has an indefinite length or a reserved head") },
    { "a4" OF KIND FIELD LENGTH, BAD("of", "must follow 'v', the format version") },
    { "a5 6176 03", "unknown format version 3: this hagg reads version 2" },
    { "a5 6176 01", "unknown format version 1: this hagg reads version 2; make the records again" },
    { "a5 6176 00", "unknown format version 0: this hagg reads version 2; make the records again" },
    { "a5 6176 1bffffffffffffffff",
      "unknown format version 18446744073709551615: this hagg reads version 2" },
    { "a5 6176 f5", BAD("v", "must be a non-negative integer") },
    { "a5 01", BAD("v", "must be text") },
    /* every mandatory field in turn */
    { "a4" V OF FIELD LENGTH, BAD("kind", "is missing") },
    { "a4" V KIND FIELD LENGTH, BAD("of", "is missing") },
    { "a4" V OF KIND LENGTH, BAD("field", "is missing") },
    { "a4" V OF KIND FIELD, BAD("length", "is missing") },
    { "a1" V, BAD("kind", "is missing") },
    /* order and repetition */
    { "a5" V KIND OF, BAD("of", "is out of order or appears twice") },
    { "a6" V OF OF, BAD("of", "is out of order or appears twice") },
    { "a6" V V, BAD("v", "is out of order or appears twice") },
    { "a6" V OF KIND FIELD LENGTH "656669656c64",
      BAD("field", "is out of order or appears twice") },
    /* keys that are none */
    { "a6" V OF KIND FIELD "656f74686572", BAD("other", "is unknown in this version") },
    { "a6" V "03", BAD("?", "must be text") },
    { "a6" V "6162", BAD("b", "is out of order or appears twice") },
    { "a6" V "61ff", BAD("?", "has text that is not printable ASCII") },
    { "a6" V "7841", BAD("?", "is too long") },
    { "a6" V OF KIND "6478414243", BAD("xABC", "is unknown in this version") },
    /* values of the wrong type */
    { "a5" V "626f66 01", BAD("of", "must be text") },
    { "a5" V "626f66 6473656e64", BAD("of", "has an unknown value") },
    { "a5" V OF "646b696e64 63616263", BAD("kind", "has an unknown value") },
    { "a5" V OF KIND "656669656c64 43313233", BAD("field", "must be text") },
    { "a5" V OF KIND FIELD "666c656e677468 20", BAD("length", "must be a non-negative integer") },
    { "a5" V OF KIND FIELD "666c656e677468 1b0001000000000001", BAD("length", "is too large") },
    { "a6" V OF KIND FIELD "65726f756e64 1b0020000000000000", BAD("round", "is too large") },
    { "a6" V OF KIND FIELD LENGTH "67636c69656e7473 80",
      BAD("clients", "must have an even count of numbers, at least two") },
    { "a6" V OF KIND FIELD LENGTH "67636c69656e7473 83010203",
      BAD("clients", "must have an even count of numbers, at least two") },
    { "a6" V OF KIND FIELD LENGTH "67636c69656e7473 8201f5",
      BAD("clients", "must be a non-negative integer") },
    { "a6" V OF KIND FIELD "657368617065 9821", BAD("shape", "is too long") },
    { "a6" V OF KIND FIELD "657368617065 811b0001000000000001", BAD("shape", "is too large") },
    { "a6" V OF KIND FIELD LENGTH "6773616d706c6573 f4",
      BAD("samples", "must be true if present") },
    { "a6" V OF KIND FIELD LENGTH "6773616d706c6573 01",
      BAD("samples", "must be true if present") },
    { "a6" V OF KIND "6474797065 60", BAD("type", "is empty") },
    { "a6" V OF KIND "6474797065 63663136", BAD("type", "is too long") },
    { "a6" V OF KIND "64706c616e 50", BAD("plan", "must have 32 bytes") },
    { "a6" V "626964 51", BAD("id", "must have 16 bytes") },
    { "a6" V "626964 6130", BAD("id", "must be a byte string") },
    /* nodes and routes */
    { "a6" V OF "62746f 81", BAD("to", "must be a tier and its number or numbers") },
    { "a6" V OF "62746f 9bffffffffffffffff",
      BAD("to", "must be a tier and its number or numbers") },
    { "a6" V OF "62746f 826001", BAD("to", "names no tier") },
    { "a6" V OF "62746f 826161 1b0000000100000000", BAD("to", "is too large") },
    { "a6" V OF "62746f 82 71", BAD("to", "is too long") },
    { "a6" V OF KIND FIELD "65726f757465 80", BAD("route", "has no tier") },
    { "a6" V OF KIND FIELD "65726f757465 89", BAD("route", "is too long") },
    { "a6" V OF KIND FIELD "65726f757465 81 80",
      BAD("route", "must be a tier and its number or numbers") },
    { "a6" V OF KIND FIELD "65726f757465 81 82 6161 1a00010000", BAD("route", "must be an array") },
    { "a6" V OF KIND FIELD "65726f757465 81 82 6161 9a00010000", BAD("route", "is too long") },
    { "a6" V OF KIND FIELD "65726f757465 81 82 6161 8161",
      BAD("route", "must be a non-negative integer") },
    /* maps in the map */
    { "a6" V OF KIND FIELD LENGTH "66736368656d65 80", BAD("scheme", "must be a map") },
    { "a6" V OF KIND FIELD "657175616e74 00", BAD("quant", "must be a map") },
    { "a6" V OF KIND FIELD LENGTH "66736368656d65 a4",
      BAD("scheme", "must have five or six keys") },
    { "a6" V OF KIND FIELD LENGTH "66736368656d65 a7",
      BAD("scheme", "must have five or six keys") },
    { "a6" V OF KIND FIELD LENGTH "66736368656d65 a5 616e",
      BAD("scheme", "has a key that is missing, unknown or out of order") },
    { "a6" V OF KIND FIELD LENGTH
      "66736368656d65 a5 616b01 616e01 617a00 646e616d65 60 65696e646578 "
      "00",
      BAD("scheme", "has no name") },
    { "a6" V OF KIND FIELD LENGTH
      "66736f75726365 a5 616b01 616e01 617a00 646e616d65 60 65696e646578 "
      "00",
      BAD("source", "has no name") },
    { "a6" V OF KIND FIELD LENGTH "66736f75726365 a4",
      BAD("source", "must have five or six keys") },
    /* of shares that were made from shares */
    { "a6" V OF KIND FIELD "666c61796f7574 80", BAD("layout", "has no number") },
    { "a6" V OF KIND FIELD "666c61796f7574 89", BAD("layout", "is too long") },
    { "a6" V OF KIND FIELD "666c61796f7574 02", BAD("layout", "must be an array") },
    { "a6" V OF KIND FIELD "666c61796f7574 811b0000000100000000", BAD("layout", "is too large") },
    { "a6" V OF KIND FIELD LENGTH "6763617272696572 20",
      BAD("carrier", "must be a non-negative integer") },
    { "a6" V OF KIND FIELD LENGTH "6763617272696572 1b0000000100000000",
      BAD("carrier", "is too large") },
    { "a6" V OF "636d6978 4f", BAD("mix", "must have 16 bytes") },
    { "a6" V OF "636d6978 6130", BAD("mix", "must be a byte string") },
    { "a6" V OF KIND FIELD "666c61796f7574 8102" LENGTH,
      "'scheme', 'route', 'layout', 'symbols' and 'mix' belong to a share or transfer only" },
    { "a6" V OF KIND FIELD LENGTH "6763617272696572 00",
      "'source' and 'carrier' belong to a transfer only" },
    { "a6" V OF KIND FIELD "657175616e74 a2", BAD("quant", "must have three keys") },
    { "a6" V OF KIND FIELD "657175616e74 a3 6462697473 00 64636c6970 f93c00 68726f756e64696e67 "
      "676e656172657374",
      BAD("quant", "has no bits and no levels") },
    { "a6" V OF KIND FIELD "657175616e74 a3 6462697473 10 64636c6970 01",
      BAD("quant", "must be a floating-point number") },
    { "a6" V OF KIND FIELD
      "657175616e74 a3 6462697473 10 64636c6970 f93c00 68726f756e64696e67 627570",
      BAD("quant", "has an unknown value") },
    /* extensions */
    { "a6" V "63782d61 80",
      BAD("x-a", "must be a non-negative integer, true, false, text or bytes") },
    { "a6" V "63782d61 20",
      BAD("x-a", "must be a non-negative integer, true, false, text or bytes") },
    { "a6" V "63782d61 f6",
      BAD("x-a", "must be a non-negative integer, true, false, text or bytes") },
    { "a6" V "63782d61 5f",
      BAD("x-a", "must be a non-negative integer, true, false, text or bytes") },
    { "a6" V "63782d61 1817", BAD("x-a", "is not in deterministic encoding") },
    { "a6" V "63782d61 590401", BAD("x-a", "is too long") },
    { "a6" V "63782d61 790401", BAD("x-a", "is too long") },
    { "a6" V "63782d61 617f", BAD("x-a", "has text that is not printable ASCII") },
    { "a6" V OF "63782d4100" KIND FIELD LENGTH, "'x-A' is not a valid name for an extension" },
    { "a6" V "62782d00" OF KIND FIELD LENGTH, BAD("of", "is out of order or appears twice") },
    { "a6" V OF "62782d00" KIND FIELD LENGTH, "'x-' is not a valid name for an extension" },
    /* another encoding of what is right */
    { "b805" V OF KIND FIELD LENGTH, ENCODING("0") },
    { "a5 7801 76 02" OF KIND FIELD LENGTH, ENCODING("1") },
    { "a5 6176 1802" OF KIND FIELD LENGTH, ENCODING("3") },
    { "a5" V OF KIND FIELD "666c656e677468 1803", ENCODING("42") },
    { "a5" V OF KIND FIELD "666c656e677468 1b0000000000000003", ENCODING("42") },
    /* what only header_check finds */
    { "a5" V OF KIND "656669656c64 634d3331" LENGTH,
      "field 'M31' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -" },
    { "a5" V OF "646b696e64 657368617265" FIELD LENGTH, "a share needs 'scheme' and 'route'" },
};

static void says_what_is_wrong(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t bytes[256];
        size_t n = hex_bytes(bytes, wrong[i].hex), used;
        struct hagg_err err;
        struct header h;

        if (!CHECK(decode(&h, bytes, n, &used, &err) == -1))
            fprintf(stderr, "  %s\n", wrong[i].hex);
        CHECK(err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, wrong[i].message);
        header_clear(&h);
        /* none of its beginnings is a header */
        for (size_t cut = 0; cut < n; cut++) {
            CHECK(decode(&h, bytes, cut, &used, &err) <= 0);
            header_clear(&h);
        }
    }
}

/* All that half precision can say, read back; and the same in four and in eight bytes, refused. */
static void reads_every_half(void)
{
    static const char start[] =
        "a7" V OF KIND "6474797065 626638" FIELD "657175616e74 a3 6462697473 10 64636c6970";
    static const char end[] = "68726f756e64696e67 676e656172657374" LENGTH;

    for (unsigned bits = 1; bits < 0x7c00; bits += bits < 0x500 ? 1 : 37) {
        unsigned exponent = bits >> 10, digits = bits & 0x3ff;
        double value =
            exponent == 0 ? ldexp(digits, -24) : ldexp(1024 + digits, (int)exponent - 25);
        uint8_t bytes[256];
        size_t n = hex_bytes(bytes, start), used;
        char clip[32];
        struct hagg_err err;
        struct header h;
        union {
            float f;
            uint32_t u;
        } single = { .f = (float)value };

        snprintf(clip, sizeof clip, "f9%04x", bits);
        n += hex_bytes(bytes + n, clip);
        n += hex_bytes(bytes + n, end);
        CHECK(decode(&h, bytes, n, &used, &err) == 1 && used == n);
        CHECK(h.quant.clip == value && h.quant.bits == 16);
        header_clear(&h);

        n = hex_bytes(bytes, start);
        snprintf(clip, sizeof clip, "fa%08x", single.u);
        n += hex_bytes(bytes + n, clip);
        n += hex_bytes(bytes + n, end);
        CHECK(decode(&h, bytes, n, &used, &err) == -1);
        CHECK(strncmp(err.text, "header is not in deterministic encoding", 39) == 0);
        header_clear(&h);
    }
}

/* Sixteen extensions of every kind, and one more. */
static void holds_sixteen_extensions(void)
{
    static const char *const values[] = { "00",       "f4", "f5",       "40",
                                          "43616263", "60", "63616263", "1bffffffffffffffff" };

    for (unsigned count = 15; count <= 17; count++) {
        uint8_t bytes[512];
        size_t n = 0, used;
        char text[32];
        struct hagg_err err;
        struct header h;

        bytes[n++] = count + 5 < 24 ? (uint8_t)(0xa0 + count + 5) : 0;
        n += hex_bytes(bytes + n, V OF);
        for (unsigned i = 0; i < count; i++) {
            snprintf(text, sizeof text, "63782d%02x", 'a' + i);
            n += hex_bytes(bytes + n, text);
            n += hex_bytes(bytes + n, values[i % 8]);
        }
        n += hex_bytes(bytes + n, KIND FIELD LENGTH);
        CHECK(decode(&h, bytes, n, &used, &err) == (count <= 16 ? 1 : -1));
        if (count <= 16) {
            CHECK(h.n_extensions == count && used == n);
            CHECK_STR(h.extensions[14].name, "x-o");
            CHECK(h.extensions[7].len_bytes == 9 && h.extensions[7].value[8] == 0xff);
        } else
            CHECK_STR(err.text, BAD("x-q", "is an extension beyond the limit"));
        header_clear(&h);
    }
}

static void holds_the_longest_extension(void)
{
    static const char *const heads[] = { "63782d61 590400", "63782d61 790400" };

    for (size_t i = 0; i < 2; i++) {
        uint8_t bytes[1200];
        size_t n = hex_bytes(bytes, "a6" V OF), used;
        struct hagg_err err;
        struct header h;

        n += hex_bytes(bytes + n, heads[i]);
        memset(bytes + n, 'y', 1024);
        n += 1024;
        n += hex_bytes(bytes + n, KIND FIELD LENGTH);
        CHECK(decode(&h, bytes, n, &used, &err) == 1 && used == n);
        CHECK(h.n_extensions == 1 && h.extensions[0].len_bytes == 1027);
        header_clear(&h);
        for (size_t cut = 0; cut < n; cut++) {
            CHECK(decode(&h, bytes, cut, &used, &err) == 0 && h.n_extensions <= 1);
            header_clear(&h);
        }
    }
}

/* Whatever a few bytes declare, they cost a few bytes. */
static void takes_memory_for_what_is_there(void)
{
    static const char *const greedy[] = {
        "bbffffffffffffffff" V,
        "a6" V OF KIND FIELD LENGTH "67636c69656e7473 9a000ffffe 0101",
        "a6" V OF KIND FIELD LENGTH "67636c69656e7473 9bfffffffffffffffe 0101",
        "a6" V OF KIND FIELD "657368617065 9820 01",
        "a6" V OF KIND FIELD "666c61796f7574 88 01",
        "a6" V OF KIND FIELD "666c61796f7574 9bffffffffffffffff 01",
        "a6" V OF KIND FIELD "65726f757465 88 82 6161 99ffff 01",
        "a6" V OF KIND FIELD "65726f757465 81 82 6161 9bffffffffffffffff 01",
        "a6" V OF "63782d61 590400 61",
        "a6" V OF "63782d61 5bffffffffffffffff 61",
        "a6" V OF "63782d61 7bffffffffffffffff 61",
        "a5" V OF KIND "656669656c64 7bffffffffffffffff 61",
        "a5" V OF KIND "656669656c64 7a40000000 61",
        "a6" V OF KIND FIELD LENGTH "66736368656d65 bbffffffffffffffff",
        "a6" V OF KIND FIELD "657175616e74 bb4000000000000000",
    };

    for (size_t i = 0; i < sizeof greedy / sizeof *greedy; i++) {
        uint8_t bytes[256];
        size_t n = hex_bytes(bytes, greedy[i]), used;
        struct hagg_err err = { 0 };
        struct header h = { 0 };

        alloc_watch();
        CHECK(header_decode(&h, bytes, n, &used, &err) <= 0);
        CHECK(alloc_bytes() < 2048);
        header_clear(&h);
    }
}

static void fails_without_memory_for(size_t sample)
{
    unsigned long at = 0;

    for (;; at++) {
        struct hagg_err err = { 0 };
        struct header h = { 0 };
        size_t used;
        int got;

        alloc_refuse(at);
        got = header_decode(&h, samples[sample].bytes, samples[sample].n, &used, &err);
        CHECK(got == (alloc_refused() ? -1 : 1));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        header_clear(&h);
        if (!alloc_refused())
            break;
    }
    CHECK(at >= 6);
    alloc_watch();
}

static void fails_cleanly_without_memory(void)
{
    for (size_t i = 0; i < N_SAMPLES; i++)
        fails_without_memory_for(i);
}

int main(void)
{
    understands_the_samples();
    waits_for_the_rest();
    notices_every_bit();
    says_what_is_wrong();
    reads_every_half();
    holds_sixteen_extensions();
    holds_the_longest_extension();
    takes_memory_for_what_is_there();
    fails_cleanly_without_memory();
    return check_end();
}
