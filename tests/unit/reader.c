#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "sample.h"

/* Reads a stream to its end in blocks of up to 64 elements, or skips every payload for 0. How many
 * records there were, or -1. */
static long read_all(const char *path, size_t block, struct hagg_err *err)
{
    struct reader *r = reader_open(path, NULL, err);
    long n_records = 0;
    uint8_t buf[8 * 64];
    size_t n;
    int got = -1;

    while (r && (got = reader_next(r, err)) > 0) {
        n_records++;
        got = -1;
        do
            if (block > 0 && reader_read(r, buf, block, &n, err))
                goto out;
        while (block > 0 && n > 0);
    }
out:
    reader_free(r);
    return got < 0 ? -1 : n_records;
}

static void reads_the_samples(void)
{
    static const uint8_t elements[] = { 1, 0, 0,    0,    2,    0,    0, 0, 3, 0,
                                        0, 0, 0xfe, 0xff, 0xff, 0x7f, 0, 0, 0, 0 };
    uint8_t both[SAMPLE_VECTOR_BYTES + SAMPLE_SHARE_BYTES], buf[64];
    struct hagg_err err = { 0 };
    struct header want;
    struct reader *r;
    size_t n = 99;

    memcpy(both, sample_vector, SAMPLE_VECTOR_BYTES);
    memcpy(both + SAMPLE_VECTOR_BYTES, sample_share, SAMPLE_SHARE_BYTES);
    r = reader_open(feed_file(both, sizeof both), NULL, &err);
    if (!CHECK(r != NULL))
        return;
    CHECK(reader_record(r) == 0);
    CHECK(reader_next(r, &err) == 1);
    sample_vector_header(&want);
    CHECK(sample_equal(reader_header(r), &want));
    CHECK(reader_elem_size(r) == 1 && reader_n_elems(r) == 3);
    CHECK(reader_record(r) == 1 && reader_offset(r) == 0);
    CHECK(reader_read(r, buf, 3, &n, &err) == 0 && n == 3);
    CHECK(memcmp(buf, "\x01\x02\xff", 3) == 0);
    CHECK(memcmp(reader_digest(r), sample_vector + SAMPLE_VECTOR_BYTES - 16, 16) == 0);
    CHECK(reader_read(r, buf, 3, &n, &err) == 0 && n == 0);
    CHECK(reader_read(r, NULL, 0, &n, &err) == 0 && n == 0);

    CHECK(reader_next(r, &err) == 1);
    sample_share_header(&want);
    CHECK(sample_equal(reader_header(r), &want));
    header_clear(&want);
    CHECK(reader_elem_size(r) == 4 && reader_n_elems(r) == 5);
    CHECK(reader_record(r) == 2 && reader_offset(r) == SAMPLE_VECTOR_BYTES);
    CHECK(reader_read(r, buf, 16, &n, &err) == 0 && n == 5);
    CHECK(memcmp(buf, elements, sizeof elements) == 0);
    CHECK(memcmp(reader_digest(r), sample_share + SAMPLE_SHARE_BYTES - 16, 16) == 0);
    CHECK(reader_next(r, &err) == 0);
    CHECK(reader_next(r, &err) == 0);
    CHECK(err.status == HAGG_OK);
    reader_free(r);
    reader_free(NULL);
}

/* A record of so many elements, counted up from 1, byte by byte. */
static uint8_t *counted(size_t elem_size, size_t n_elems, size_t *len)
{
    unsigned tag = elem_size == 1 ? 64 : elem_size == 2 ? 69 : elem_size == 4 ? 70 : 71;
    uint8_t *payload = malloc(n_elems * elem_size + 1), header[128], *record;

    for (size_t i = 0; i < n_elems * elem_size; i++)
        payload[i] = (uint8_t)(i * 7 + i / 251 + 1);
    record = sample_record(header, sample_plain_header(header, "f", n_elems), tag, payload,
                           n_elems * elem_size, len);
    free(payload);
    return record;
}

/* Reads the one record of the stream in blocks and compares every byte; then asks for more. */
static void reads_counted(struct reader *r, size_t elem_size, size_t n_elems, size_t block)
{
    uint8_t *buf = malloc(block * elem_size);
    struct hagg_err err = { 0 };
    size_t done = 0, n = 0, wrong = 0;

    CHECK(reader_next(r, &err) == 1);
    CHECK(reader_elem_size(r) == elem_size && reader_n_elems(r) == n_elems);
    while (CHECK(reader_read(r, buf, block, &n, &err) == 0) && n > 0) {
        CHECK(n == (n_elems - done < block ? n_elems - done : block));
        for (size_t i = 0; i < n * elem_size; i++) {
            size_t at = done * elem_size + i;

            wrong += buf[i] != (uint8_t)(at * 7 + at / 251 + 1);
        }
        done += n;
    }
    CHECK(done == n_elems && wrong == 0);
    CHECK(reader_next(r, &err) == 0);
    free(buf);
}

static void reads_in_blocks_of_any_size(void)
{
    struct hagg_err err = { 0 };

    for (size_t elem_size = 1; elem_size <= 8; elem_size *= 2)
        for (size_t block = 1; block <= 70; block++) {
            size_t len;
            uint8_t *record = counted(elem_size, 69, &len);
            struct reader *r = reader_open(feed_file(record, len), NULL, &err);

            reads_counted(r, elem_size, 69, block);
            reader_free(r);
            free(record);
        }
}

/* Around the sizes at which the reader's own buffers end. */
static void reads_payloads_of_any_size(void)
{
    static const size_t sizes[] = { 0, 1, 16383, 16384, 16385, 65535, 65536, 65537, 200001 };
    static const size_t blocks[] = { 1000, 16383, 16384, 16385, 65536, 200001, 300000 };
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t len;
        uint8_t *record = counted(1, sizes[i], &len);

        for (size_t j = 0; j < sizeof blocks / sizeof *blocks; j++) {
            struct reader *r = reader_open(feed_file(record, len), NULL, &err);

            reads_counted(r, 1, sizes[i], blocks[j]);
            reader_free(r);
        }
        CHECK(read_all(feed_file(record, len), 0, &err) == 1);
        free(record);
    }
}

/* A payload of nothing needs no buffer, but its digest is verified. */
static void reads_nothing_into_nothing(void)
{
    size_t len, n = 99;
    uint8_t *record = counted(4, 0, &len);
    struct hagg_err err = { 0 };

    for (size_t flipped = 0; flipped < 2; flipped++) {
        struct reader *r;

        record[len - 1] ^= (uint8_t)flipped;
        r = reader_open(feed_file(record, len), NULL, &err);
        CHECK(reader_next(r, &err) == 1);
        CHECK(reader_read(r, NULL, 7, &n, &err) == (flipped ? -1 : 0) && n == 0);
        reader_free(r);
    }
    free(record);
}

/* Every beginning of two records that is not a whole number of them. */
static void notices_truncation_everywhere(void)
{
    uint8_t both[SAMPLE_VECTOR_BYTES + SAMPLE_SHARE_BYTES];
    struct hagg_err err;

    memcpy(both, sample_share, SAMPLE_SHARE_BYTES);
    memcpy(both + SAMPLE_SHARE_BYTES, sample_vector, SAMPLE_VECTOR_BYTES);
    for (size_t n = 0; n < sizeof both; n++)
        for (size_t block = 0; block < 3; block++) {
            size_t at = n < SAMPLE_SHARE_BYTES ? n : n - SAMPLE_SHARE_BYTES;
            size_t header = n < SAMPLE_SHARE_BYTES ? SAMPLE_SHARE_HEADER_BYTES : 45;
            size_t payload = n < SAMPLE_SHARE_BYTES ? 20 : 3;
            const char *where = at < 6                          ? "first bytes"
                                : at < 6 + header               ? "header"
                                : at < 6 + header + 3 + payload ? "payload"
                                                                : "digest";
            const char *path = feed_file(both, n);
            char want[200];

            err = (struct hagg_err){ 0 };
            if (at == 0) {
                CHECK(read_all(path, block, &err) == (n > 0));
                continue;
            }
            snprintf(want, sizeof want,
                     "%s: record %d (byte %d): ends too early, in its %s: get it again", path,
                     n < SAMPLE_SHARE_BYTES ? 1 : 2,
                     n < SAMPLE_SHARE_BYTES ? 0 : SAMPLE_SHARE_BYTES, where);
            CHECK(read_all(path, block, &err) == -1 && err.status == HAGG_E_MALFORMED);
            CHECK_STR(err.text, want);
        }
}

/* One flipped bit anywhere, whether the payload is read or skipped. */
static void notices_every_flipped_bit(void)
{
    for (size_t bit = 0; bit < 8 * SAMPLE_SHARE_BYTES; bit++)
        for (size_t block = 0; block < 2; block++) {
            uint8_t bytes[SAMPLE_SHARE_BYTES];
            struct hagg_err err = { 0 };

            memcpy(bytes, sample_share, sizeof bytes);
            bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            CHECK(read_all(feed_file(bytes, sizeof bytes), 64 * block, &err) == -1);
            CHECK(err.status == HAGG_E_MALFORMED);
        }
}

/* A payload that nobody read, or read a part of, is verified before the next record. */
static void verifies_what_is_skipped(void)
{
    uint8_t bytes[2 * SAMPLE_SHARE_BYTES], buf[64];
    char want[200];

    memcpy(bytes, sample_share, SAMPLE_SHARE_BYTES);
    memcpy(bytes + SAMPLE_SHARE_BYTES, sample_share, SAMPLE_SHARE_BYTES);
    bytes[SAMPLE_SHARE_BYTES - 20] ^= 1; /* the last element of the first record */
    for (size_t part = 0; part < 5; part++) {
        const char *path = feed_file(bytes, sizeof bytes);
        struct hagg_err err = { 0 };
        struct reader *r = reader_open(path, NULL, &err);
        size_t n = 0;

        CHECK(reader_next(r, &err) == 1);
        CHECK(part == 0 || (reader_read(r, buf, part, &n, &err) == 0 && n == part));
        CHECK(reader_next(r, &err) == -1 && err.status == HAGG_E_MALFORMED);
        snprintf(
            want, sizeof want,
            "%s: record 1 (byte 0): digest does not match, so the record is damaged: get it again",
            path);
        CHECK_STR(err.text, want);
        reader_free(r);
    }
}

static void reads_many_records(void)
{
    enum { RECORDS = 3000 };
    uint8_t *bytes = malloc(RECORDS * SAMPLE_SHARE_BYTES);
    struct hagg_err err = { 0 };
    struct reader *r;
    size_t len = 0, at = 0;

    for (size_t i = 0; i < RECORDS; i++) {
        memcpy(bytes + len, i % 3 ? sample_vector : sample_share,
               i % 3 ? SAMPLE_VECTOR_BYTES : SAMPLE_SHARE_BYTES);
        len += i % 3 ? SAMPLE_VECTOR_BYTES : SAMPLE_SHARE_BYTES;
    }
    r = reader_open(feed_file(bytes, len), NULL, &err);
    for (uint64_t i = 0; i < RECORDS; i++) {
        uint8_t buf[8];
        size_t n;

        CHECK(reader_next(r, &err) == 1);
        CHECK(reader_record(r) == i + 1 && reader_offset(r) == at);
        CHECK(reader_n_elems(r) == (i % 3 ? 3 : 5));
        if (i % 5 == 0)
            CHECK(reader_read(r, buf, 1, &n, &err) == 0 && n == 1);
        at += i % 3 ? SAMPLE_VECTOR_BYTES : SAMPLE_SHARE_BYTES;
    }
    CHECK(reader_next(r, &err) == 0 && reader_record(r) == RECORDS);
    reader_free(r);
    free(bytes);
}

/* Something else before, after and between records. */
static void refuses_what_is_no_record(void)
{
    uint8_t bytes[2 * SAMPLE_VECTOR_BYTES + 1];
    struct hagg_err err = { 0 };
    const char *path = feed_file("hello\n", 6);
    char want[200];

    CHECK(read_all(path, 1, &err) == -1 && err.status == HAGG_E_MALFORMED);
    snprintf(want, sizeof want, "%s: is not a hagg file", path);
    CHECK_STR(err.text, want);
    for (unsigned byte = 0; byte < 256; byte++) {
        memcpy(bytes, sample_vector, SAMPLE_VECTOR_BYTES);
        bytes[SAMPLE_VECTOR_BYTES] = (uint8_t)byte;
        memcpy(bytes + SAMPLE_VECTOR_BYTES + 1, sample_vector, SAMPLE_VECTOR_BYTES);
        path = feed_file(bytes, sizeof bytes);
        CHECK(read_all(path, 1, &err) == -1 && err.status == HAGG_E_MALFORMED);
        snprintf(want, sizeof want, "%s: the data after record 1, from byte 74 on, is not a record",
                 path);
        CHECK_STR(err.text, want);
    }
}

/* The bytes after the header of a vector of four elements, and what is said of them. */
static void refuses_bad_payloads(void)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *message;
    } bad[] = {
        { "\x44\x01\x02\x03\x04", 5, "payload is not a typed array of unsigned integers" },
        { "\xd8\x41\x44", 3, "payload is not a typed array of unsigned integers" },
        { "\xd8\x48\x44", 3, "payload is not a typed array of unsigned integers" },
        { "\xd9\x00\x40\x44", 4, "payload is not in deterministic encoding" },
        { "\xd8\x40\x58\x04", 4, "payload is not in deterministic encoding" },
        { "\xd8\x40\x5f", 3, "payload is not in deterministic encoding" },
        { "\xd8\x40\x64", 3, "payload is not a byte string of whole elements" },
        { "\xd8\x45\x43", 3, "payload is not a byte string of whole elements" },
        { "\xd8\x47\x44", 3, "payload is not a byte string of whole elements" },
        { "\xd8\x40\x43", 3, "payload has 3 elements, but its header declares 4" },
        { "\xd8\x45\x44", 3, "payload has 2 elements, but its header declares 4" },
        { "\xd8\x40\x5b\x00\x10\x00\x00\x00\x00\x00\x01", 11, "payload is larger than 2^52 bytes" },
        { "\xd8\x40\x5b\xff\xff\xff\xff\xff\xff\xff\xff", 11, "payload is larger than 2^52 bytes" },
        { "\xd8\x40\x44\x01\x02\x03\x04\x4f", 8, "digest is not a string of 16 bytes" },
        { "\xd8\x40\x44\x01\x02\x03\x04\x51", 8, "digest is not a string of 16 bytes" },
        { "\xd8\x40\x44\x01\x02\x03\x04\x70", 8, "digest is not a string of 16 bytes" },
        { "\xd8\x40\x44\x01\x02\x03\x04\x58\x10", 9, "digest is not in deterministic encoding" },
    };
    uint8_t bytes[256] = { 0xda, 0x48, 0x41, 0x47, 0x47, 0x83 };
    size_t start = 6 + sample_plain_header(bytes + 6, "f", 4);

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct hagg_err err = { 0 };
        const char *path;
        char want[200];

        memset(bytes + start, 0, sizeof bytes - start);
        memcpy(bytes + start, bad[i].bytes, bad[i].n);
        path = feed_file(bytes, sizeof bytes);
        snprintf(want, sizeof want, "%s: record 1 (byte 0): %s", path, bad[i].message);
        CHECK(read_all(path, 4, &err) == -1 && err.status == HAGG_E_MALFORMED);
        CHECK_STR(err.text, want);
    }
}

static void reports_the_system(void)
{
    struct hagg_err err = { 0 };

    CHECK(reader_open("/nonexistent/file", NULL, &err) == NULL && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/nonexistent/file: No such file or directory");
    CHECK(read_all("/", 1, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "/: is a directory: name a file in it");
}

/* While n_good is not negative, a read gives 16 bytes at the most, and after so many fails. */
static int n_good = -1;

ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __wrap_read(int fd, void *to, size_t n);

ssize_t __wrap_read(int fd, void *to, size_t n)
{
    if (n_good < 0)
        return __real_read(fd, to, n);
    if (n_good-- == 0) {
        n_good = 0;
        errno = EIO;
        return -1;
    }
    return __real_read(fd, to, n < 16 ? n : 16);
}

/* A medium that fails at any of the reads that a stream takes. */
static void reports_every_failed_read(void)
{
    size_t lens[2] = { SAMPLE_SHARE_BYTES, 0 };
    uint8_t *large = counted(1, 20000, &lens[1]);

    for (int which = 0; which < 2; which++) {
        const char *path = feed_file(which ? large : sample_share, lens[which]);
        int n_reads = (int)(lens[which] / 16 + 2), step = which ? 97 : 1;
        struct hagg_err err;
        char want[100];

        snprintf(want, sizeof want, "%s: Input/output error", path);
        for (int good = 0; good < n_reads - 1; good += step)
            for (size_t block = 0; block < 2; block++) {
                err = (struct hagg_err){ 0 };
                n_good = good;
                CHECK(read_all(path, block, &err) == -1 && err.status == HAGG_E_SYSTEM);
                CHECK_STR(err.text, want);
            }
        n_good = 2 * n_reads; /* enough, however they are cut */
        CHECK(read_all(path, 0, &err) == 1);
    }
    n_good = -1;
    free(large);
}

static void speaks_of_its_record(void)
{
    uint8_t both[2 * SAMPLE_VECTOR_BYTES];
    struct hagg_err err = { 0 };
    const char *path;
    char want[200];
    struct reader *r;

    memcpy(both, sample_vector, SAMPLE_VECTOR_BYTES);
    memcpy(both + SAMPLE_VECTOR_BYTES, sample_vector, SAMPLE_VECTOR_BYTES);
    path = feed_file(both, sizeof both);
    r = reader_open(path, NULL, &err);
    CHECK_STR(reader_name(r), path);
    CHECK(reader_next(r, &err) == 1 && reader_next(r, &err) == 1);
    CHECK(reader_fail(r, &err, HAGG_E_MISMATCH, "%s %d%%", "about", 7) == -1);
    snprintf(want, sizeof want, "%s: record 2 (byte 74): about 7%%", path);
    CHECK(err.status == HAGG_E_MISMATCH);
    CHECK_STR(err.text, want);
    reader_free(r);
}

/* Keys pass through the buffer, which is wiped when it is replaced and when it is freed. */
static void wipes_its_buffer(void)
{
    struct header_range *clients = calloc(5000, sizeof *clients);
    struct header h = { .field = "f", .length = 3, .clients = clients, .n_clients = 5000 };
    struct hagg_err err = { 0 };
    uint8_t *header, *record;
    size_t n_header, len;

    for (uint32_t i = 0; i < 5000; i++)
        clients[i].first = clients[i].last = 65536 + 2 * i;
    alloc_expect_wiped(16384, 16384, SIZE_MAX);
    CHECK(read_all(feed_file(sample_share, SAMPLE_SHARE_BYTES), 2, &err) == 1);
    CHECK(alloc_n_wiped() == 1);
    CHECK(header_encode(&h, &header, &n_header, &err) == 0);
    record = sample_record(header, n_header, 64, "key", 3, &len);
    CHECK(read_all(feed_file(record, len), 2, &err) == 1);
    CHECK(alloc_n_wiped() == 2);
    /* the larger one, twice what is left of 16384 bytes without the record's first six */
    alloc_expect_wiped(32756, 32756, SIZE_MAX);
    CHECK(read_all(feed_file(record, len), 2, &err) == 1);
    CHECK(alloc_n_wiped() == 1);
    free(record);
    free(header);
    free(clients);
}

static void fails_cleanly_without_memory(void)
{
    const char *path = feed_file(sample_share, SAMPLE_SHARE_BYTES);
    unsigned long at = 0;

    for (;; at++) {
        struct hagg_err err = { 0 };
        long got;

        alloc_refuse(at);
        got = read_all(path, 0, &err);
        CHECK(got == (alloc_refused() ? -1 : 1));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        if (!alloc_refused())
            break;
    }
    CHECK(at >= 10);
    alloc_watch();
}

int main(void)
{
    reads_the_samples();
    reads_in_blocks_of_any_size();
    reads_payloads_of_any_size();
    reads_nothing_into_nothing();
    notices_truncation_everywhere();
    notices_every_flipped_bit();
    verifies_what_is_skipped();
    reads_many_records();
    refuses_what_is_no_record();
    refuses_bad_payloads();
    reports_the_system();
    reports_every_failed_read();
    speaks_of_its_record();
    wipes_its_buffer();
    fails_cleanly_without_memory();
    return check_end();
}
