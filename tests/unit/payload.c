#include "payload.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "reader.h"
#include "sample.h"

/* Streams of records with 0 .. 8 x 1000 bytes of payload, whose bytes count up from their number.
 */
enum { RECORDS = 9 };

static uint8_t *bytes;
static size_t len, ends[RECORDS];

static void make_stream(void)
{
    uint8_t payload[8000], header[128];

    bytes = malloc(RECORDS * 9000);
    for (size_t i = 0; i < RECORDS; i++) {
        uint8_t *record;
        size_t n;

        for (size_t j = 0; j < 1000 * i; j++)
            payload[j] = (uint8_t)(i + j * 7 + j / 251);
        record = sample_record(header, sample_plain_header(header, "f", 250 * i), 70, payload,
                               1000 * i, &n);
        memcpy(bytes + len, record, n);
        len += n;
        ends[i] = len;
        free(record);
    }
}

/* Takes every payload of a stream out of its reader. */
static void detach_all(struct reader *r, struct payload **payloads)
{
    struct hagg_err err = { 0 };

    for (size_t i = 0; i < RECORDS; i++) {
        CHECK(reader_next(r, &err) == 1 && reader_n_elems(r) == 250 * i);
        CHECK(reader_record(r) == i + 1 && reader_offset(r) == (i > 0 ? ends[i - 1] : 0));
        payloads[i] = reader_detach(r, &err);
        CHECK(payloads[i] != NULL);
    }
    CHECK(reader_next(r, &err) == 0 && err.status == HAGG_OK);
}

/* All payloads side by side, a block of each in turn, with the file open elsewhere. */
static void reads_side_by_side(void)
{
    static const size_t blocks[] = { 1, 7, 250, 999, 5000 };

    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        const char *path = feed_file(bytes, len);
        struct hagg_err err = { 0 };
        struct reader *r = reader_open(path, NULL, &err);
        struct payload *payloads[RECORDS];
        size_t done[RECORDS] = { 0 }, n_ended = 0, wrong = 0;
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        uint8_t buf[4 * 5000];

        detach_all(r, payloads);
        reader_free(r); /* payloads need it no more */
        while (n_ended < RECORDS) {
            n_ended = 0;
            for (size_t i = 0; i < RECORDS; i++) {
                size_t n = 99, left = 250 * i - done[i];

                CHECK(payload_read(payloads[i], fd, buf, blocks[b], &n, &err) == 0);
                if (!CHECK(n == (left < blocks[b] ? left : blocks[b])))
                    return;
                for (size_t j = 4 * done[i]; j < 4 * (done[i] + n); j++)
                    wrong += buf[j - 4 * done[i]] != (uint8_t)(i + j * 7 + j / 251);
                done[i] += n;
                n_ended += n == 0;
            }
        }
        CHECK(wrong == 0);
        CHECK(lseek(fd, 0, SEEK_CUR) == 0); /* the position is the caller's */
        close(fd);
        for (size_t i = 0; i < RECORDS; i++)
            payload_free(payloads[i]);
    }
    payload_free(NULL);
}

/* Standard input that others have read from before: offsets are the file's, not the stream's. */
static void starts_where_the_stream_does(void)
{
    uint8_t *shifted = malloc(len + 5), buf[8000];
    struct payload *payloads[RECORDS];
    struct hagg_err err = { 0 };
    struct reader *r;
    size_t n;
    int fd;

    memcpy(shifted, "xxxxx", 5);
    memcpy(shifted + 5, bytes, len);
    fd = open(feed_file(shifted, len + 5), O_RDONLY | O_CLOEXEC);
    CHECK(lseek(fd, 5, SEEK_SET) == 5 && dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    r = reader_open("-", NULL, &err);
    detach_all(r, payloads);
    for (size_t i = 0; i < RECORDS; i++) {
        CHECK(payload_read(payloads[i], fd, buf, 2000, &n, &err) == 0 && n == 250 * i);
        CHECK(n == 0 || buf[4] == (uint8_t)(i + 28));
        payload_free(payloads[i]);
    }
    reader_free(r);
    close(fd);
    free(shifted);
}

/* One flipped bit in the payload or the digest of the last record. */
static void notices_every_flipped_bit(void)
{
    struct hagg_err err = { 0 };
    uint8_t copy[SAMPLE_SHARE_BYTES], buf[64];

    for (size_t bit = 8 * (SAMPLE_SHARE_BYTES - 37); bit < 8 * SAMPLE_SHARE_BYTES; bit++) {
        struct payload *p;
        struct reader *r;
        const char *path;
        size_t n;
        int fd;

        memcpy(copy, sample_share, sizeof copy);
        copy[bit / 8] ^= (uint8_t)(1u << bit % 8);
        path = feed_file(copy, sizeof copy);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        err = (struct hagg_err){ 0 };
        r = reader_open(path, NULL, &err);
        CHECK(reader_next(r, &err) == 1);
        p = reader_detach(r, &err);
        CHECK(p && payload_read(p, fd, buf, 5, &n, &err) == -1);
        CHECK(err.status == HAGG_E_MALFORMED && strstr(err.text, ": record 1 (byte 0): digest "));
        payload_free(p);
        reader_free(r);
        close(fd);
    }
}

/* A file that ends within the payload or the digest, at once or after it was looked at. */
static void notices_truncation(void)
{
    uint8_t buf[64];

    for (size_t cut = 1; cut <= 37; cut++) {
        const char *path = feed_file(sample_share, SAMPLE_SHARE_BYTES);
        struct hagg_err err = { 0 };
        struct reader *r = reader_open(path, NULL, &err);
        int fd = open(path, O_RDWR | O_CLOEXEC);
        struct payload *p;
        char want[200];
        size_t n;

        CHECK(reader_next(r, &err) == 1);
        p = reader_detach(r, &err);
        CHECK(p && ftruncate(fd, (off_t)(SAMPLE_SHARE_BYTES - cut)) == 0);
        CHECK(payload_read(p, fd, buf, 5, &n, &err) == -1 && err.status == HAGG_E_MALFORMED);
        snprintf(want, sizeof want,
                 "%s: record 1 (byte 0): ends too early: it became shorter while it was being read",
                 path);
        CHECK_STR(err.text, want);
        payload_free(p);
        reader_free(r);
        /* now from its beginning on */
        err = (struct hagg_err){ 0 };
        r = reader_open(path, NULL, &err);
        CHECK(reader_next(r, &err) == 1);
        CHECK(reader_detach(r, &err) == NULL && err.status == HAGG_E_MALFORMED);
        snprintf(want, sizeof want,
                 "%s: record 1 (byte 0): ends too early, in its payload: get it again", path);
        CHECK_STR(err.text, want);
        reader_free(r);
        close(fd);
    }
}

/* From a pipe there is nothing to come back to: no payload, no error, and the reader reads on. */
static void leaves_pipes_alone(void)
{
    struct hagg_err err = { 0 };
    uint8_t buf[64];
    struct reader *r;
    pid_t child;
    size_t n = 0;
    int fd = feed_pipe(sample_share, SAMPLE_SHARE_BYTES, 50, &child);

    r = reader_open(feed_path(fd), NULL, &err);
    CHECK(reader_next(r, &err) == 1);
    CHECK(reader_detach(r, &err) == NULL && err.status == HAGG_OK);
    CHECK(reader_read(r, buf, 16, &n, &err) == 0 && n == 5 && buf[4] == 2);
    CHECK(reader_next(r, &err) == 0);
    reader_free(r);
    close(fd);
    feed_wait(child);
}

static void reports_the_system(void)
{
    struct hagg_err err = { 0 };
    const char *path = feed_file(sample_share, SAMPLE_SHARE_BYTES);
    struct reader *r = reader_open(path, NULL, &err);
    struct payload *p;
    uint8_t buf[64];
    char want[200];
    size_t n;

    CHECK(reader_next(r, &err) == 1);
    for (unsigned long at = 0; at < 2; at++) {
        err = (struct hagg_err){ 0 };
        alloc_refuse(at);
        CHECK(reader_detach(r, &err) == NULL && err.status == HAGG_E_SYSTEM);
    }
    alloc_watch();
    p = reader_detach(r, &err);
    CHECK(p && payload_read(p, -1, buf, 5, &n, &err) == -1 && err.status == HAGG_E_SYSTEM);
    snprintf(want, sizeof want, "%s: Bad file descriptor", path);
    CHECK_STR(err.text, want);
    payload_free(p);
    reader_free(r);
}

int main(void)
{
    make_stream();
    reads_side_by_side();
    starts_where_the_stream_does();
    notices_every_flipped_bit();
    notices_truncation();
    leaves_pipes_alone();
    reports_the_system();
    free(bytes);
    return check_end();
}
