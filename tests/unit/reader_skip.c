#include <stdlib.h>
#include <unistd.h>

#include "reader.h"

#include "check.h"
#include "feed.h"
#include "sample.h"

/* Small records and large ones in turn, the large ones beyond the reader's buffer. */
enum { RECORDS = 12, LARGE = 100001 };

static uint8_t *bytes;
static size_t len, starts[RECORDS + 1];

static void make_stream(void)
{
    uint8_t *payload = calloc(1, LARGE), header[128];

    bytes = malloc(RECORDS * (LARGE + 200));
    for (size_t i = 0; i < RECORDS; i++) {
        size_t n_elems = i % 3 == 0 ? 0 : i % 3 == 1 ? 5 : LARGE, n;
        uint8_t *record = sample_record(header, sample_plain_header(header, "f", n_elems), 64,
                                        payload, n_elems, &n);

        memcpy(bytes + len, record, n);
        len += n;
        starts[i + 1] = len;
        free(record);
    }
    free(payload);
}

/* Reads so much of every record, jumps over the rest, and must be at the next one. */
static void jumps(struct reader *r, size_t n_read)
{
    struct hagg_err err = { 0 };
    uint8_t *buf = malloc(LARGE);

    for (size_t i = 0; i < RECORDS; i++) {
        size_t n_elems = i % 3 == 0 ? 0 : i % 3 == 1 ? 5 : LARGE, n;

        CHECK(reader_next(r, &err) == 1 && reader_n_elems(r) == n_elems);
        CHECK(reader_record(r) == i + 1 && reader_offset(r) == starts[i]);
        if (n_read > 0)
            CHECK(reader_read(r, buf, n_read, &n, &err) == 0 &&
                  n == (n_elems < n_read ? n_elems : n_read));
        CHECK(reader_skip(r, &err) == 0);
        CHECK(reader_skip(r, &err) == 0); /* there is nothing left to jump over */
        CHECK(reader_read(r, buf, 1, &n, &err) == 0 && n == 0);
    }
    CHECK(reader_next(r, &err) == 0 && err.status == HAGG_OK);
    free(buf);
}

static void jumps_over_what_is_left(void)
{
    static const size_t reads[] = { 0, 1, 4, 5, 6, 20000, LARGE - 1, LARGE };
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        struct reader *r = reader_open(feed_file(bytes, len), NULL, &err);
        pid_t child;
        int fd;

        jumps(r, reads[i]);
        reader_free(r);
        fd = feed_pipe(bytes, len, 5003, &child);
        r = reader_open(feed_path(fd), NULL, &err);
        jumps(r, reads[i]);
        reader_free(r);
        close(fd);
        feed_wait(child);
    }
}

/* In a file what is jumped over is not read, so damage to it is not seen; in a pipe it is. */
static void does_not_verify_in_a_file(void)
{
    struct hagg_err err = { 0 };
    struct reader *r;
    pid_t child;
    int fd;

    bytes[starts[3] - 20] ^= 1;
    r = reader_open(feed_file(bytes, len), NULL, &err);
    jumps(r, 0);
    reader_free(r);
    fd = feed_pipe(bytes, len, 5003, &child);
    r = reader_open(feed_path(fd), NULL, &err);
    for (int i = 0; i < 3; i++)
        CHECK(reader_next(r, &err) == 1);
    CHECK(reader_skip(r, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK(strstr(err.text, "record 3") && strstr(err.text, "digest does not match"));
    reader_free(r);
    close(fd);
    feed_wait(child);
    bytes[starts[3] - 20] ^= 1;
}

/* A file that ends within what is jumped over, however little is missing. */
static void notices_truncation(void)
{
    for (size_t cut = 1; cut < 60; cut++)
        for (size_t record = 0; record < 3; record++) {
            struct hagg_err err = { 0 };
            struct reader *r = reader_open(feed_file(bytes, starts[record + 1] - cut), NULL, &err);
            int got = 1;

            for (size_t i = 0; i <= record && got == 1; i++)
                got = reader_next(r, &err) == 1 && reader_skip(r, &err) == 0 ? 1 : -1;
            CHECK(got == -1 && err.status == HAGG_E_MALFORMED);
            CHECK(strstr(err.text, "ends too early") != NULL);
            reader_free(r);
        }
}

int main(void)
{
    make_stream();
    jumps_over_what_is_left();
    does_not_verify_in_a_file();
    notices_truncation();
    free(bytes);
    return check_end();
}
