#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "reader.h"

#include "check.h"
#include "feed.h"
#include "sample.h"

/* Counted elements in a record, as the reader's other tests have them. */
static uint8_t *counted(size_t n_elems, size_t *len)
{
    uint8_t *payload = malloc(4 * n_elems + 1), header[128], *record;

    for (size_t i = 0; i < 4 * n_elems; i++)
        payload[i] = (uint8_t)(i * 7 + i / 251 + 1);
    record = sample_record(header, sample_plain_header(header, "f", n_elems), 70, payload,
                           4 * n_elems, len);
    free(payload);
    return record;
}

static void reads_counted(struct reader *r, size_t n_elems, size_t block)
{
    uint8_t *buf = malloc(4 * block);
    struct hagg_err err = { 0 };
    size_t done = 0, n = 0, wrong = 0;

    CHECK(reader_next(r, &err) == 1 && reader_n_elems(r) == n_elems);
    while (CHECK(reader_read(r, buf, block, &n, &err) == 0) && n > 0) {
        CHECK(n == (n_elems - done < block ? n_elems - done : block));
        for (size_t i = 4 * done; i < 4 * (done + n); i++)
            wrong += buf[i - 4 * done] != (uint8_t)(i * 7 + i / 251 + 1);
        done += n;
    }
    CHECK(done == n_elems && wrong == 0);
    free(buf);
}

/* A writer that gives one byte at a time, and readers that take 1 to 70 elements. */
static void reads_byte_by_byte(void)
{
    for (size_t block = 1; block <= 70; block++) {
        struct hagg_err err = { 0 };
        struct reader *r;
        pid_t child;
        size_t len;
        uint8_t *record = counted(69, &len);
        int fd = feed_pipe(record, len, 1, &child);

        r = reader_open(feed_path(fd), NULL, &err);
        reads_counted(r, 69, block);
        CHECK(reader_next(r, &err) == 0);
        reader_free(r);
        close(fd);
        feed_wait(child);
        free(record);
    }
}

/* Large payloads in pieces that divide neither buffers nor elements. */
static void reads_odd_pieces(void)
{
    static const size_t pieces[] = { 997, 4095, 16385, 65537 };
    static const size_t blocks[] = { 100, 4096, 5000, 100000 };

    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            struct hagg_err err = { 0 };
            struct reader *r;
            pid_t child;
            size_t len;
            uint8_t *record = counted(60001, &len);
            int fd = feed_pipe(record, len, pieces[i], &child);

            r = reader_open(feed_path(fd), NULL, &err);
            reads_counted(r, 60001, blocks[j]);
            CHECK(reader_next(r, &err) == 0);
            reader_free(r);
            close(fd);
            feed_wait(child);
            free(record);
        }
}

/* The writer ends at every byte of the record. */
static void notices_truncation_everywhere(void)
{
    for (size_t n = 1; n < SAMPLE_VECTOR_BYTES; n++) {
        struct hagg_err err = { 0 };
        uint8_t buf[3];
        struct reader *r;
        size_t n_elems;
        pid_t child;
        int fd = feed_pipe(sample_vector, n, 1, &child), got;

        r = reader_open(feed_path(fd), NULL, &err);
        got = reader_next(r, &err);
        CHECK(got == (n < 6 + 45 + 3 ? -1 : 1));
        CHECK(got < 0 || reader_read(r, buf, 3, &n_elems, &err) == -1);
        CHECK(err.status == HAGG_E_MALFORMED && strstr(err.text, "ends too early"));
        reader_free(r);
        close(fd);
        feed_wait(child);
    }
}

/* A record is there as soon as its bytes are, though the writer has not ended: nobody may have to
 * wait for the next record to see this one. An alarm ends a test that waits. */
static void does_not_wait_for_the_next_record(void)
{
    static uint32_t numbers[400];
    struct header_tier tier = { .name = "station", .numbers = numbers, .n_numbers = 400 };
    struct header h = {
        .kind = HEADER_SHARE,
        .field = "m31",
        .scheme = { .name = "additive", .n = 400, .k = 400, .z = 399 },
        .n_route = 1,
        .route = &tier,
    };
    struct hagg_err err = { 0 };
    uint8_t *header, *large, buf[64];
    size_t n_header, n_large, n;
    struct reader *r;
    int ends[2];

    for (uint32_t i = 0; i < 400; i++)
        numbers[i] = 1000000 + i;
    CHECK(header_encode(&h, &header, &n_header, &err) == 0 && n_header > 2000);
    large = sample_record(header, n_header, 70, NULL, 0, &n_large);
    if (!CHECK(pipe(ends) == 0))
        return;
    r = reader_open(feed_path(ends[0]), NULL, &err);
    alarm(60);
    for (int i = 0; i < 30; i++) {
        const uint8_t *record = i % 3 == 0 ? sample_vector : i % 3 == 1 ? sample_share : large;
        size_t len = i % 3 == 0 ? SAMPLE_VECTOR_BYTES : i % 3 == 1 ? SAMPLE_SHARE_BYTES : n_large;

        CHECK(write(ends[1], record, len) == (ssize_t)len);
        CHECK(reader_next(r, &err) == 1);
        CHECK(reader_read(r, buf, 16, &n, &err) == 0 && n == (i % 3 == 0 ? 3 : i % 3 == 1 ? 5 : 0));
    }
    close(ends[1]);
    CHECK(reader_next(r, &err) == 0);
    alarm(0);
    reader_free(r);
    close(ends[0]);
    free(header);
    free(large);
}

/* The same when the record comes in two pieces, the first of which ends within the header. */
static void does_not_wait_for_more_than_the_header(void)
{
    for (size_t cut = 10; cut < 6 + SAMPLE_SHARE_HEADER_BYTES; cut += 40) {
        struct timespec pause = { 0, 10000000 };
        struct hagg_err err = { 0 };
        struct reader *r;
        uint8_t buf[64];
        int ends[2], stay[2];
        pid_t child;
        size_t n;

        if (!CHECK(pipe(ends) == 0 && pipe(stay) == 0))
            return;
        child = fork();
        if (child == 0) {
            close(stay[1]);
            if (write(ends[1], sample_share, cut) < 0 || nanosleep(&pause, NULL) ||
                write(ends[1], sample_share + cut, SAMPLE_SHARE_BYTES - cut) < 0)
                _exit(1);
            /* and the pipe stays open until the other one is closed */
            _exit(read(stay[0], buf, 1) != 0);
        }
        close(ends[1]);
        close(stay[0]);
        r = reader_open(feed_path(ends[0]), NULL, &err);
        alarm(60);
        CHECK(reader_next(r, &err) == 1);
        CHECK(reader_read(r, buf, 5, &n, &err) == 0 && n == 5);
        alarm(0);
        close(stay[1]);
        CHECK(reader_next(r, &err) == 0);
        reader_free(r);
        close(ends[0]);
        feed_wait(child);
    }
}

static void reads_standard_input(void)
{
    struct hagg_err err = { 0 };
    uint8_t buf[3];
    struct reader *r;
    size_t n;
    pid_t child;
    int fd = feed_pipe(sample_vector, SAMPLE_VECTOR_BYTES - 1, 7, &child);

    CHECK(dup2(fd, STDIN_FILENO) == STDIN_FILENO);
    close(fd);
    r = reader_open("-", NULL, &err);
    CHECK_STR(reader_name(r), "standard input");
    CHECK(reader_next(r, &err) == 1);
    CHECK(reader_read(r, buf, 3, &n, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK_STR(err.text,
              "standard input: record 1 (byte 0): ends too early, in its digest: get it again");
    reader_free(r);
    CHECK(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* it is not the reader's to close */
    feed_wait(child);
    close(STDIN_FILENO);
    r = reader_open("-", NULL, &err);
    CHECK(reader_next(r, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "standard input: Bad file descriptor");
    reader_free(r);
}

static volatile sig_atomic_t n_signals;

static void count_signal(int number)
{
    (void)number;
    n_signals++;
}

/* A slow writer, and a timer whose signals interrupt the reads that wait for it. */
static void goes_on_after_signals(void)
{
    struct sigaction act = { .sa_handler = count_signal };
    struct itimerval often = { { 0, 2000 }, { 0, 2000 } }, never = { { 0, 0 }, { 0, 0 } };
    struct timespec pause = { 0, 10000000 };
    struct hagg_err err = { 0 };
    size_t len;
    uint8_t *record = counted(5000, &len);
    struct reader *r;
    int ends[2];
    pid_t child;

    if (!CHECK(pipe(ends) == 0))
        return;
    child = fork();
    if (child == 0) {
        close(ends[0]);
        for (size_t at = 0; at < len; at += 1500) {
            nanosleep(&pause, NULL);
            if (write(ends[1], record + at, len - at < 1500 ? len - at : 1500) < 0)
                _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    sigaction(SIGALRM, &act, NULL); /* without SA_RESTART, and for good: one may come late */
    r = reader_open(feed_path(ends[0]), NULL, &err);
    setitimer(ITIMER_REAL, &often, NULL);
    reads_counted(r, 5000, 5000);
    CHECK(reader_next(r, &err) == 0);
    setitimer(ITIMER_REAL, &never, NULL);
    CHECK(n_signals > 5);
    reader_free(r);
    close(ends[0]);
    feed_wait(child);
    free(record);
}

int main(void)
{
    reads_byte_by_byte();
    reads_odd_pieces();
    notices_truncation_everywhere();
    does_not_wait_for_the_next_record();
    does_not_wait_for_more_than_the_header();
    goes_on_after_signals();
    reads_standard_input();
    return check_end();
}
