#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "reader.h"

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "hex.h"
#include "sample.h"

#define START  "da4841474783"
#define MAP    "617602626f6665706c61696e646b696e6466766563746f72656669656c646166"
#define LENGTH "666c656e677468"

/* Streams of a few bytes that declare a lot. What is said of them, and that it costs no more than
 * a reader costs: its struct, a name, and a buffer of 16 KiB. */
static const struct {
    const char *hex;
    const char *message;
} greedy[] = {
    { "da48414747", "ends too early, in its first bytes: get it again" },
    { START "bbffffffffffffffff", "ends too early, in its header: get it again" },
    { START "bb4000000000000000", "ends too early, in its header: get it again" },
    { START "a5617602626f66 7bffffffffffffffff", "field 'of' of the header is too long" },
    { START "a5617602626f66 7a40000000", "field 'of' of the header is too long" },
    { START "a57bffffffffffffffff", "field 'v' of the header is too long" },
    { START "a6" MAP LENGTH "00 67636c69656e7473 9a40000000",
      "field 'clients' of the header is too long" },
    { START "a6" MAP LENGTH "00 67636c69656e7473 9a00100000",
      "ends too early, in its header: get it again" },
    { START "a6" MAP "65726f757465 88826161 99ffff01",
      "ends too early, in its header: get it again" },
    { START "a6" MAP "657368617065 9bffffffffffffffff", "field 'shape' of the header is too long" },
    { START "a6617602 63782d61 5b4000000000000000", "field 'x-a' of the header is too long" },
    /* 2^30 elements of one, four and eight bytes */
    { START "a5" MAP LENGTH "1a40000000 d8405a40000000 0102",
      "ends too early, in its payload: get it again" },
    { START "a5" MAP LENGTH "1a40000000 d8465b0000000100000000 0102",
      "ends too early, in its payload: get it again" },
    { START "a5" MAP LENGTH "1a40000000 d8475b0000000200000000 0102",
      "ends too early, in its payload: get it again" },
    /* the most that a record can have, and more */
    { START "a5" MAP LENGTH "1b0001000000000000 d8475b0008000000000000",
      "ends too early, in its payload: get it again" },
    { START "a5" MAP LENGTH "1b0001000000000000 d8475b4000000000000000",
      "payload is larger than 2^52 bytes" },
    { START "a5" MAP LENGTH "1b0001000000000000 d8405bffffffffffffffff",
      "payload is larger than 2^52 bytes" },
};

static long max_rss_kib(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void declared_sizes_cost_nothing(void)
{
    long before = max_rss_kib();

    for (size_t i = 0; i < sizeof greedy / sizeof *greedy; i++)
        for (int skip = 0; skip < 2; skip++) {
            uint8_t bytes[256], buf[64];
            size_t len = hex_bytes(bytes, greedy[i].hex), n = 1;
            const char *path = feed_file(bytes, len);
            struct hagg_err err = { 0 };
            struct reader *r;
            char want[200];
            int got;

            alloc_watch();
            r = reader_open(path, NULL, &err);
            got = reader_next(r, &err);
            while (got == 1 && n > 0)
                got = skip ? reader_next(r, &err) : reader_read(r, buf, 8, &n, &err) == 0 ? 1 : -1;
            CHECK(got == -1 && err.status == HAGG_E_MALFORMED);
            CHECK(alloc_bytes() < 16384 + 8192); /* with the list of inputs */
            snprintf(want, sizeof want, "%s: record 1 (byte 0): %s", path, greedy[i].message);
            CHECK_STR(err.text, want);
            reader_free(r);
        }
    /* the 64 KiB on the stack that skipping takes, pages of libraries touched for the first time */
    CHECK(max_rss_kib() - before < 4096);
}

/* A header of several hundred KB: ranges of clients with five bytes a number. */
static void reads_large_headers(void)
{
    enum { RANGES = 60000 };
    struct header_range *clients = malloc(RANGES * sizeof *clients);
    struct header h = { .field = "f", .length = 3, .clients = clients, .n_clients = RANGES };
    struct hagg_err err = { 0 };
    uint8_t *header, *record, *twice, buf[8];
    size_t n_header, len, n;
    struct reader *r;
    pid_t child;
    int fd;

    for (uint32_t i = 0; i < RANGES; i++)
        clients[i] = (struct header_range){ 1000000 + 10 * i, 1000004 + 10 * i };
    CHECK(header_encode(&h, &header, &n_header, &err) == 0 && n_header > 600000);
    record = sample_record(header, n_header, 64, "\x01\x02\x03", 3, &len);
    twice = malloc(2 * len);
    memcpy(twice, record, len);
    memcpy(twice + len, record, len);
    for (int piped = 0; piped < 2; piped++) {
        fd = piped ? feed_pipe(twice, 2 * len, 1021, &child) : -1;
        alloc_watch();
        r = reader_open(piped ? feed_path(fd) : feed_file(twice, 2 * len), NULL, &err);
        for (uint64_t i = 0; i < 2; i++) {
            CHECK(reader_next(r, &err) == 1 && reader_offset(r) == i * len);
            CHECK(sample_equal(reader_header(r), &h));
            CHECK(header_count_clients(reader_header(r)) == 5 * RANGES);
            CHECK(reader_read(r, buf, 8, &n, &err) == 0 && n == 3 && buf[2] == 3);
        }
        CHECK(reader_next(r, &err) == 0);
        CHECK(alloc_bytes() < 16 << 20);
        reader_free(r);
        if (piped) {
            close(fd);
            feed_wait(child);
        }
    }
    free(twice);
    free(record);
    free(header);
    free(clients);
}

/* One extension of the most bytes, over and over, is out of order; so the clients have to do: a
 * header that goes on beyond 1 MiB is refused before more is read. */
static void refuses_headers_over_a_mebibyte(void)
{
    enum { NUMBERS = 1 << 20, LEN = 5 * NUMBERS };
    uint8_t *bytes = calloc(LEN + 256, 1);
    size_t n = hex_bytes(bytes, START "a6" MAP LENGTH "00 67636c69656e7473 9a00100000");
    const char *path;
    struct hagg_err err = { 0 };
    struct reader *r;
    char want[200];

    for (uint32_t i = 0; i < NUMBERS; i++, n += 5) {
        uint32_t number = 65536 + 2 * i;

        bytes[n] = 0x1a;
        for (int j = 0; j < 4; j++)
            bytes[n + 1 + (size_t)j] = (uint8_t)(number >> (24 - 8 * j));
    }
    path = feed_file(bytes, n);
    alloc_watch();
    r = reader_open(path, NULL, &err);
    CHECK(reader_next(r, &err) == -1 && err.status == HAGG_E_MALFORMED);
    snprintf(want, sizeof want, "%s: record 1 (byte 0): header is larger than 1048576 bytes", path);
    CHECK_STR(err.text, want);
    CHECK(alloc_bytes() < 12 << 20);
    reader_free(r);
    free(bytes);
}

/* 64 MB of payload pass through a reader that keeps none of it. */
static void keeps_nothing_of_a_payload(void)
{
    enum { LEN = 64 << 20 };
    uint8_t *payload = calloc(1, LEN), header[128], *record, block[4096];
    struct hagg_err err = { 0 };
    size_t len, n = 1;
    struct reader *r;
    const char *path;

    record = sample_record(header, sample_plain_header(header, "f", LEN), 64, payload, LEN, &len);
    free(payload);
    path = feed_file(record, len);
    free(record);
    for (int skip = 0; skip < 2; skip++) {
        alloc_watch();
        r = reader_open(path, NULL, &err);
        CHECK(reader_next(r, &err) == 1);
        while (!skip && reader_read(r, block, sizeof block, &n, &err) == 0 && n > 0)
            ;
        CHECK(reader_next(r, &err) == 0);
        CHECK(alloc_bytes() < 16384 + 8192); /* with the list of inputs */
        reader_free(r);
    }
}

int main(void)
{
    declared_sizes_cost_nothing();
    reads_large_headers();
    refuses_headers_over_a_mebibyte();
    keeps_nothing_of_a_payload();
    return check_end();
}
