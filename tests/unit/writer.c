#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "check.h"
#include "feed.h"
#include "sample.h"

/* Whether the file behind fd holds exactly these bytes. */
static bool holds(int fd, const void *want, size_t n_want)
{
    size_t n;
    unsigned char *got = feed_content(feed_path(fd), &n);
    bool same = n == n_want && memcmp(got, want, n) == 0;

    free(got);
    return same;
}

static void writes_the_samples(void)
{
    static const uint8_t elements[] = { 1, 0, 0,    0,    2,    0,    0, 0, 3, 0,
                                        0, 0, 0xfe, 0xff, 0xff, 0x7f, 0, 0, 0, 0 };
    uint8_t both[SAMPLE_VECTOR_BYTES + SAMPLE_SHARE_BYTES];
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fd, "out", &err);
    struct header h;

    memcpy(both, sample_vector, SAMPLE_VECTOR_BYTES);
    memcpy(both + SAMPLE_VECTOR_BYTES, sample_share, SAMPLE_SHARE_BYTES);
    sample_vector_header(&h);
    CHECK(writer_begin(w, &h, 1, 3, &err) == 0);
    CHECK(writer_elems(w, "\x01\x02\xff", 3, &err) == 0);
    CHECK(writer_end(w, &err) == 0);
    /* the kernel has it all, before the writer is freed or goes on */
    CHECK(holds(fd, sample_vector, SAMPLE_VECTOR_BYTES));
    header_clear(&h);
    sample_share_header(&h);
    CHECK(writer_begin(w, &h, 4, 5, &err) == 0);
    CHECK(writer_elems(w, elements, 2, &err) == 0);
    CHECK(writer_elems(w, elements + 8, 3, &err) == 0);
    CHECK(writer_end(w, &err) == 0);
    CHECK(holds(fd, both, sizeof both));
    header_clear(&h);
    writer_free(w);
    writer_free(NULL);
    close(fd);
}

/* Random-looking elements, in pieces, against a record put together in one go; twice, so that the
 * second record begins anywhere. */
static void writes_in_pieces(size_t elem_size, size_t n_elems, size_t piece)
{
    unsigned tag = elem_size == 1 ? 64 : elem_size == 2 ? 69 : elem_size == 4 ? 70 : 71;
    uint8_t *payload = malloc(n_elems * elem_size + 1), header[128], *want;
    struct header h = { .field = "f", .length = n_elems };
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fd, "out", &err);
    size_t len;

    for (size_t i = 0; i < n_elems * elem_size; i++)
        payload[i] = (uint8_t)(i * 73 + i / 253);
    want = sample_record(header, sample_plain_header(header, "f", n_elems), tag, payload,
                         n_elems * elem_size, &len);
    for (int i = 0; i < 2; i++) {
        CHECK(writer_begin(w, &h, elem_size, n_elems, &err) == 0);
        CHECK(writer_size(w) == len);
        CHECK(writer_elems(w, NULL, 0, &err) == 0);
        for (size_t at = 0; at < n_elems; at += piece)
            CHECK(writer_elems(w, payload + at * elem_size,
                               n_elems - at < piece ? n_elems - at : piece, &err) == 0);
        CHECK(writer_end(w, &err) == 0);
    }
    want = realloc(want, 2 * len);
    memcpy(want + len, want, len);
    CHECK(holds(fd, want, 2 * len));
    writer_free(w);
    close(fd);
    free(want);
    free(payload);
}

static void writes_pieces_of_any_size(void)
{
    static const size_t sizes[] = { 0, 1, 65536, 131071, 131072, 131073, 400001 };
    static const size_t pieces[] = { 977, 65536, 131071, 131072, 131073, 300000, 450000 };

    for (size_t elem_size = 1; elem_size <= 8; elem_size *= 2)
        for (size_t piece = 1; piece <= 70; piece++)
            writes_in_pieces(elem_size, 69, piece);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof pieces / sizeof *pieces; j++)
            writes_in_pieces(1, sizes[i], pieces[j]);
}

/* Records that are collected in memory and moved are the same bytes, whatever the buffer of the
 * other writer has; and a cut stream ends with the first byte of a record. */
static void collects_records(void)
{
    static const size_t sizes[] = { 0, 1, 5000, 131072, 400001 };
    int direct = memfd_create("direct", MFD_CLOEXEC), moved = memfd_create("moved", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *to_file = writer_new(direct, "direct", &err);
    struct writer *memory = writer_new_memory("memory", &err);
    struct writer *target = writer_new(moved, "moved", &err);
    uint8_t *payload = calloc(1, sizes[4] + 1), *want;
    size_t len = 0;

    for (size_t i = 0; i < sizes[4]; i++)
        payload[i] = (uint8_t)(i * 91 + i / 251);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct header h = { .field = "f", .length = sizes[i] };
        struct writer *both[] = { to_file, memory };

        for (size_t j = 0; j < 2; j++)
            CHECK(writer_begin(both[j], &h, 1, sizes[i], &err) == 0 &&
                  writer_elems(both[j], payload, sizes[i], &err) == 0 &&
                  writer_end(both[j], &err) == 0);
        len += (size_t)writer_size(to_file);
        if (i % 2 == 0) {
            CHECK(writer_collected(memory) > 0 && writer_move(target, memory, &err) == 0);
            CHECK(writer_collected(memory) == 0);
        }
    }
    CHECK(writer_flush(target, &err) == 0);
    want = malloc(len + 1);
    CHECK(pread(direct, want, len, 0) == (ssize_t)len);
    CHECK(holds(moved, want, len));
    want[len] = want[0];
    CHECK(writer_cut(target, &err) == 0);
    CHECK(holds(moved, want, len + 1));
    writer_free(to_file);
    writer_free(memory);
    writer_free(target);
    close(direct);
    close(moved);
    free(want);
    free(payload);
}

static void writes_nothing_before_the_end(void)
{
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fd, "out", &err);
    struct header h;

    sample_vector_header(&h);
    CHECK(writer_begin(w, &h, 1, 3, &err) == 0 && writer_elems(w, "\x01\x02\xff", 3, &err) == 0);
    writer_free(w);
    CHECK(holds(fd, "", 0));
    close(fd);
}

/* Writes a record of so many zeros; the first failure. */
static int write_zeros(int fd, size_t n_elems, struct hagg_err *err)
{
    struct header h = { .field = "f", .length = n_elems };
    struct writer *w = writer_new(fd, "the name", err);
    uint8_t *zeros = calloc(1, n_elems + 1);
    int status = writer_begin(w, &h, 1, n_elems, err);

    if (status == 0)
        status = writer_elems(w, zeros, n_elems, err);
    if (status == 0)
        status = writer_end(w, err);
    writer_free(w);
    free(zeros);
    return status;
}

static void reports_what_cannot_be_written(void)
{
    static const size_t sizes[] = { 0, 100, 65536, 1000000 };
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC), ends[2];

    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct hagg_err err = { 0 };

        CHECK(write_zeros(full, sizes[i], &err) == -1 && err.status == HAGG_E_SYSTEM);
        CHECK_STR(err.text, "the name: No space left on device");
        CHECK(pipe(ends) == 0);
        close(ends[0]);
        CHECK(write_zeros(ends[1], sizes[i], &err) == -1 && err.status == HAGG_E_SYSTEM);
        CHECK_STR(err.text, "the name: Broken pipe");
        close(ends[1]);
        CHECK(write_zeros(-1, sizes[i], &err) == -1 && err.status == HAGG_E_SYSTEM);
        CHECK_STR(err.text, "the name: Bad file descriptor");
    }
    signal(SIGPIPE, SIG_DFL);
    close(full);
}

/* A header that passes the buffer by is written, or not, as soon as the record begins. */
static void reports_a_header_that_cannot_be_written(void)
{
    enum { CLIENTS = 40000 };
    struct header_range *clients = calloc(CLIENTS, sizeof *clients);
    struct header h = { .field = "f", .clients = clients, .n_clients = CLIENTS };
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(full, "the name", &err);

    for (uint32_t i = 0; i < CLIENTS; i++)
        clients[i].first = clients[i].last = 65536 + 2 * i;
    CHECK(writer_begin(w, &h, 1, 0, &err) == -1 && err.status == HAGG_E_SYSTEM);
    CHECK_STR(err.text, "the name: No space left on device");
    writer_free(w);
    close(full);
    free(clients);
}

static volatile sig_atomic_t n_signals;

static void count_signal(int number)
{
    (void)number;
    n_signals++;
}

/* Runs in the child: reads slowly, and ends with 0 when exactly the bytes wanted came. */
static void compare(int fd, const uint8_t *want, size_t n_want)
{
    struct timespec pause = { 0, 1000000 };
    uint8_t block[5003];
    size_t at = 0;
    ssize_t n;

    while ((n = read(fd, block, sizeof block)) > 0) {
        if ((size_t)n > n_want - at || memcmp(block, want + at, (size_t)n))
            _exit(1);
        at += (size_t)n;
        nanosleep(&pause, NULL);
    }
    _exit(at != n_want);
}

/* A pipe of one page with a slow reader, and signals that interrupt the writes that wait. */
static void goes_on_after_signals(void)
{
    enum { ELEMS = 400000 };
    struct sigaction act = { .sa_handler = count_signal };
    struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { { 0, 0 }, { 0, 0 } };
    /* static, for the child ends without freeing them, and valgrind looks for what it has lost */
    static uint8_t *zeros, *want;
    uint8_t header[128];
    struct hagg_err err = { 0 };
    int ends[2], status = -1;
    size_t len;
    pid_t child;

    zeros = calloc(1, ELEMS);
    want = sample_record(header, sample_plain_header(header, "f", ELEMS), 64, zeros, ELEMS, &len);
    if (!CHECK(pipe(ends) == 0) || !CHECK(fcntl(ends[1], F_SETPIPE_SZ, 4096) >= 4096))
        return;
    child = fork();
    if (child == 0) {
        close(ends[1]);
        compare(ends[0], want, len);
    }
    close(ends[0]);
    sigaction(SIGALRM, &act, NULL); /* without SA_RESTART, and for good: one may come late */
    setitimer(ITIMER_REAL, &often, NULL);
    CHECK(write_zeros(ends[1], ELEMS, &err) == 0);
    setitimer(ITIMER_REAL, &never, NULL);
    close(ends[1]);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(n_signals > 10);
    free(want);
    free(zeros);
}

static void refuses_what_the_header_refuses(void)
{
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };
    struct writer *w = writer_new(fd, "out.cbor", &err);
    struct header h = { .field = "M31", .length = 3 };

    CHECK(writer_begin(w, &h, 1, 3, &err) == -1 && err.status == HAGG_E_MALFORMED);
    CHECK_STR(
        err.text,
        "out.cbor: field 'M31' has an invalid name: use 1 to 64 characters from a-z, 0-9 and -");
    writer_free(w);
    CHECK(holds(fd, "", 0));
    close(fd);
}

static void wipes_its_buffer(void)
{
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct hagg_err err = { 0 };

    alloc_expect_wiped(131072, 131072, 100);
    CHECK(write_zeros(fd, 100, &err) == 0);
    CHECK(alloc_n_wiped() == 1);
    close(fd);
}

static void fails_cleanly_without_memory(void)
{
    int fd = memfd_create("out", MFD_CLOEXEC);
    struct header h;
    unsigned long at = 0;

    sample_vector_header(&h);
    for (;; at++) {
        struct hagg_err err = { 0 };
        struct writer *w;
        int status = -1;

        alloc_refuse(at);
        w = writer_new(fd, "out", &err);
        if (w)
            status = writer_begin(w, &h, 1, 3, &err);
        CHECK(status == (alloc_refused() ? -1 : 0));
        CHECK(err.status == (alloc_refused() ? HAGG_E_SYSTEM : HAGG_OK));
        writer_free(w);
        if (!alloc_refused())
            break;
    }
    CHECK(at >= 4);
    alloc_watch();
    close(fd);
}

int main(void)
{
    writes_the_samples();
    writes_pieces_of_any_size();
    collects_records();
    writes_nothing_before_the_end();
    reports_what_cannot_be_written();
    reports_a_header_that_cannot_be_written();
    goes_on_after_signals();
    refuses_what_the_header_refuses();
    wipes_its_buffer();
    fails_cleanly_without_memory();
    return check_end();
}
